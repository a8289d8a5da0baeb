import { MemorySaver } from "@langchain/langgraph";

/** Counts the checkpoints that are stored and read, by whichever method, and the bytes that are serialised. */
export class CountingSaver extends MemorySaver {
  #counts = { stored: 0, loads: 0, bytes: 0 };

  constructor() {
    super();
    const { serde } = this;
    const [dump, load] = [serde.dumpsTyped.bind(serde), serde.loadsTyped.bind(serde)];
    serde.dumpsTyped = async (value) => {
      const dumped = await dump(value);
      this.#counts.bytes += dumped[1].length;
      return dumped;
    };
    serde.loadsTyped = async (type, data) => {
      const value = await load(type, data);
      if (typeof value === "object" && value !== null && "channel_versions" in value)
        this.#counts.loads++;
      return value;
    };
  }

  async put(...given) {
    this.#counts.stored++;
    return super.put(...given);
  }

  /** What was counted since the last call. */
  take() {
    const taken = this.#counts;
    this.#counts = { stored: 0, loads: 0, bytes: 0 };
    return taken;
  }
}

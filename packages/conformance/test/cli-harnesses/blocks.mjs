import { MemoryBackend } from "@fs/protocol";

class Blocks extends MemoryBackend {
  async grep(pattern, ...rest) {
    if (pattern === "a.*(b)") for (;;);
    return super.grep(pattern, ...rest);
  }
}

export default { name: "blocks", create: () => new Blocks() };

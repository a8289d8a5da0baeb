import { MemoryBackend } from "@fs/protocol";

class ExpandsDollars extends MemoryBackend {
  async edit(path, old, to, all, options) {
    const replacement = typeof old === "string" && old !== "" ? old.replace(old, to) : to;
    return super.edit(path, old, replacement, all, options);
  }
}

export default { name: "expands dollars", create: () => new ExpandsDollars() };

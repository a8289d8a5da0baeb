// Stages changes into an upper layer that another process shares. Plain JavaScript: it runs as it is.
import { StagingBackend } from "@fs/staging";
import { layersOf } from "../kills/storage.mjs";

const { storage, root, name, count } = JSON.parse(process.argv[2]);
const layers = await layersOf(storage);
const staged = new StagingBackend(layers.open(root, "base"), { upper: layers.open(root, "upper") });
for (let n = 0; n < count; n++) {
  const edited = await staged.edit("/log", "<end>", `${name} ${n}\n<end>`);
  const written = await staged.write(`/${name}/${n}`, name);
  if (edited.error || written.error) throw new Error(edited.error ?? written.error);
}
await layers.close();

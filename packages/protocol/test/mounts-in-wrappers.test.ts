import { ConfigurationError } from "@fs/protocol";
import {
  CompositeBackend,
  type Filesystem,
  MemoryBackend,
  withPermissions,
  withPolicy,
} from "@fs/protocol";
import { expect, it } from "vitest";

async function mounted(): Promise<{ composite: CompositeBackend; mount: MemoryBackend }> {
  const [root, mount] = [new MemoryBackend(), new MemoryBackend()];
  await root.write("/dir/x", "x");
  await mount.write("/a", "1");
  return { composite: new CompositeBackend(root, { "/mnt/": mount }), mount };
}

const KEEP = [{ operations: ["delete"], paths: ["/**/*.keep"], mode: "deny" }] as const;

const WRAPPINGS: Readonly<Record<string, (backend: Filesystem) => Filesystem>> = {
  "a policy": (backend) => withPolicy(backend, {}),
  "permissions about a file of each name": (backend) => withPermissions(backend, KEEP),
  "a router": (backend) => new CompositeBackend(new MemoryBackend(), { "/in/": backend }),
};

it.each(Object.entries(WRAPPINGS))("%s leaves a mounted route where it is", async (name, wrap) => {
  const { composite, mount } = await mounted();
  const wrapped = wrap(composite);
  const at = name === "a router" ? "/in" : "";
  const answers = [
    await wrapped.delete?.(`${at}/mnt`),
    await wrapped.move?.(`${at}/mnt`, "/elsewhere"),
    await wrapped.move?.(`${at}/dir`, `${at}/mnt`, { overwrite: true }),
    await wrapped.copy?.(`${at}/dir`, `${at}/mnt`, { overwrite: true }),
  ];
  expect(answers.map((answer) => answer?.code)).toEqual(Array(4).fill("permission_denied"));
  expect(answers[0]?.error).toContain(`'${at}/mnt'`);
  expect((await mount.read("/a")).content).toBe("1");
  expect((await mount.ls("/")).files).toHaveLength(1);
});

it("an upload never stores a file that a mounted route hides", async () => {
  const root = new MemoryBackend();
  const composite = new CompositeBackend(root, { "/x/y/": new MemoryBackend() });
  const [answer] = await composite.uploadFiles([["/x", new Uint8Array(1)]]);
  expect(answer).toEqual({ path: "/x", error: "is_directory", code: "is_directory" });
  expect((await root.glob("**/*")).files).toEqual([]);
  await root.write("/x", "hidden");
  expect(await composite.downloadFiles(["/x"])).toEqual([
    { path: "/x", content: null, error: "is_directory", code: "is_directory" },
  ]);
});

it("a page of a glob that can match nothing is the last one", async () => {
  const root = new MemoryBackend();
  for (let n = 0; n < 20; n++) await root.write(`/base/${n}`, "");
  const composite = new CompositeBackend(root, {});
  const found = await composite.glob("/other/*.py", "/base", { limit: 3 });
  expect(found).toEqual({ files: [] });
  expect((await composite.glob("/other/*.py", "/missing", { limit: 3 })).code).toBe("not_found");
  expect((await composite.glob("/base/1*", "/base", { limit: 3 })).files).toHaveLength(3);
});

it("permissions that are no list are refused", () => {
  const rule = { operations: ["read"], paths: ["/secrets/**"], mode: "deny" };
  expect(() => withPermissions(new MemoryBackend(), rule as never)).toThrow(ConfigurationError);
});

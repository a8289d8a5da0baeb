import type { CaseContext } from "../../engine/case-context.js";
import { Untested } from "../../engine/check-failure.js";
import type { OutOfBand } from "../../harness/harness.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function witnessOf(context: CaseContext): OutOfBand {
  const witness = context.harness.outOfBand?.(context.instance);
  if (witness === undefined) throw new Untested("the harness has no 'outOfBand'");
  return witness;
}

async function link(context: CaseContext, path: string, target: string): Promise<void> {
  const witness = witnessOf(context);
  if (witness.symlink === undefined) throw new Untested("'outOfBand' makes no symbolic links");
  await witness.symlink(path, target);
}

/** A link that leads out of the root, by every method: nothing comes through, and nothing goes. */
async function refusedLink(context: CaseContext, code: string): Promise<void> {
  const { backend, check, profile } = context;
  await context.given({ "/own.txt": "root:mine\n" });
  await link(context, "/out", "/etc/passwd");
  await link(context, "/outdir", "/etc");
  for (const path of ["/out", "/outdir/passwd"]) {
    check.failed(await backend.read(path), code, `read of ${path}`);
    check.failed(await backend.readRaw(path), code, `readRaw of ${path}`);
    check.failed(await backend.edit(path, "root", "evil"), code, `edit of ${path}`);
    check.failed(await backend.write(path, "evil"), [code, "already_exists"], `write of ${path}`);
    if (!profile.transfer) continue;
    const [down] = await backend.downloadFiles([path]);
    const [up] = await backend.uploadFiles([[path, encoder.encode("evil")]]);
    check.equal(
      [down?.error, up?.error],
      ["permission_denied", "permission_denied"],
      `A transfer of ${path}`,
      "T2",
    );
  }
  check.failed(
    await backend.write("/outdir/fs-conformance", "evil"),
    code,
    "write below a linked directory",
  );
  const hits = (await backend.grep("root:")).matches?.map(({ path }) => path);
  check.equal(hits, ["/own.txt"], "The files that grep searches");
  const found = (await backend.glob("**")).files?.map(({ path }) => path);
  check.equal(found, ["/own.txt"], "The files that glob finds");
}

/** Cases that look at the storage past the backend. */
export const storageCases: readonly Case[] = [
  {
    id: "storage/as-stored",
    rules: ["W3"],
    level: "core",
    needs: ["outOfBand"],
    why: "What an independent witness finds in the storage is what was written.",
    run: async (context) => {
      const witness = witnessOf(context);
      await context.given({ "/d/a.txt": "é\r\n" });
      const bytes = await witness.get("/d/a.txt");
      context.check.equal(
        bytes === undefined ? undefined : decoder.decode(bytes),
        "é\r\n",
        "The stored file",
      );
      context.check.succeeded(await context.backend.edit("/d/a.txt", "é", "e"), "edit");
      context.check.equal(
        decoder.decode((await witness.get("/d/a.txt")) ?? new Uint8Array()),
        "e\r\n",
        "The edited file",
      );
    },
  },
  {
    id: "storage/foreign-file",
    rules: ["A4", "L1"],
    level: "core",
    needs: ["outOfBand"],
    why: "A file that something else stored is listed, found and read.",
    run: async (context) => {
      const { backend, check } = context;
      await witnessOf(context).put("/d/foreign.txt", encoder.encode("hit\n"));
      check.equal(
        (await backend.ls("/d")).files?.map(({ path }) => path),
        ["/d/foreign.txt"],
        "ls",
      );
      check.equal(
        (await backend.glob("**")).files?.map(({ path }) => path),
        ["/d/foreign.txt"],
        "glob",
      );
      check.equal(
        (await backend.grep("hit")).matches?.map(({ line }) => line),
        [1],
        "grep",
      );
      check.equal((await backend.read("/d/foreign.txt")).content, "hit\n", "read");
      check.succeeded(await backend.edit("/d/foreign.txt", "hit", "miss"), "edit");
      await context.holds({ "/d/foreign.txt": "miss\n" });
    },
  },
  {
    id: "symlink/refused",
    rules: ["Y1"],
    level: "core",
    needs: ["outOfBand", "symlinks=reject"],
    why: "A symbolic link is neither followed nor listed, by any method.",
    hint: "Check on the opened descriptor (O_NOFOLLOW, realpath of each parent), not on the text of the path.",
    run: (context) => refusedLink(context, "permission_denied"),
  },
  {
    id: "symlink/outside",
    rules: ["Y2"],
    level: "core",
    needs: ["outOfBand", "symlinks=inside"],
    why: "A link that leaves the root is refused by every method, though links inside are followed.",
    run: (context) => refusedLink(context, "permission_denied"),
  },
  {
    id: "symlink/inside",
    rules: ["Y2"],
    level: "core",
    needs: ["outOfBand", "symlinks=inside"],
    why: "A link that stays inside the root is followed.",
    run: async (context) => {
      await context.given({ "/d/a.txt": "a" });
      await link(context, "/link.txt", "d/a.txt");
      context.check.equal(
        (await context.backend.read("/link.txt")).content,
        "a",
        "What is read through the link",
      );
    },
  },
  {
    id: "symlink/removed-as-link",
    rules: ["D3"],
    level: "core",
    needs: ["outOfBand", "delete", "!symlinks=none"],
    why: "Removing a symbolic link removes the link; what it leads to stays.",
    run: async (context) => {
      await context.given({ "/d/a.txt": "a", "/t/keep.txt": "k" });
      await link(context, "/link.txt", "d/a.txt");
      await link(context, "/linkdir", "t");
      context.check.succeeded(await context.backend.delete("/link.txt"), "delete of a linked file");
      context.check.succeeded(
        await context.backend.delete("/linkdir"),
        "delete of a linked directory",
      );
      await context.holds({ "/d/a.txt": "a", "/t/keep.txt": "k" });
    },
  },
  {
    id: "symlink/cycle",
    rules: ["Y1"],
    level: "core",
    needs: ["outOfBand", "!symlinks=none"],
    why: "A link that leads back to its own directory does not trap a walk, and a dangling one does not break it.",
    run: async (context) => {
      await context.given({ "/d/a.txt": "hit" });
      await link(context, "/d/loop", ".");
      await link(context, "/d/dangling", "nowhere");
      const { backend, check } = context;
      check.equal(
        (await backend.glob("**/a.txt")).files?.map(({ path }) => path),
        ["/d/a.txt"],
        "glob",
      );
      check.equal(
        (await backend.grep("hit")).matches?.map(({ path }) => path),
        ["/d/a.txt"],
        "grep",
      );
      check.succeeded(await backend.ls("/d"), "ls");
    },
  },
];

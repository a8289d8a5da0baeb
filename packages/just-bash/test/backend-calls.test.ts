import { backendBash, bashFilesystem } from "@fs/just-bash";
import {
  type AuditEntry,
  currentCaller,
  interceptBackend,
  MemoryBackend,
  readOnly,
  runAsCaller,
  withAudit,
} from "@fs/protocol";
import { Bash, type IFileSystem, InMemoryFs } from "just-bash";
import { describe, expect, expectTypeOf, it } from "vitest";

/** A shell, and the calls that reach its backend. */
function counted(backend = new MemoryBackend()): { bash: Bash; calls: string[] } {
  const calls: string[] = [];
  const counting = interceptBackend(backend, async (call, proceed) => {
    calls.push(call.method);
    return proceed();
  });
  return { bash: backendBash(Bash, counting), calls };
}

describe("the calls that reach the backend", () => {
  it("are two for a redirect, whether it replaces or appends", async () => {
    const { bash, calls } = counted();
    const callsOf = async (script: string): Promise<string[]> => {
      calls.length = 0;
      expect(await bash.exec(script)).toMatchObject({ exitCode: 0, stderr: "" });
      return [...calls];
    };
    for (const script of ["echo one > /f", "echo two > /f", ": > /f"])
      expect([script, ...(await callsOf(script))]).toEqual([script, "stat", "uploadFiles"]);
    for (const script of [
      "echo new >> /g",
      "echo more >>/g",
      "cd /; { echo a; echo b; } >> g",
      'f=/g; echo named >> "$f"',
      "eval 'echo evaluated >> /g'",
      "f=/none; echo x >> $f",
      "exec 3>> /g; echo opened >&3; exec 3>&-",
    ])
      expect([script, ...(await callsOf(script))]).toEqual([script, "readRaw", "uploadFiles"]);
    const lines = (operator: string): string =>
      Array.from({ length: 50 }, (_, index) => `echo ${index} ${operator} /d/${index}`).join("\n");
    for (const operator of [">", ">>"])
      expect((await callsOf(lines(operator))).length).toBeLessThanOrEqual(100);
    expect((await callsOf("for i in 1 2 3; do echo $i >> /loop; done")).length).toBe(6);
    const { stdout } = await bash.exec("cat /f /g /d/49 /loop");
    expect(stdout).toBe("new\nmore\na\nb\nnamed\nevaluated\nopened\n49\n49\n1\n2\n3\n");
  });

  it("are as few in a script that is a file", async () => {
    const { bash, calls } = counted();
    await bash.exec("echo 'echo x >> /g' > /run.sh; echo y > /g");
    for (const script of ["bash /run.sh", "source /run.sh", "sh -c 'bash /run.sh'"]) {
      calls.length = 0;
      await bash.exec(script);
      expect(calls).toEqual(["downloadFiles", "readRaw", "uploadFiles"]);
    }
  });

  it("read a file ahead only where `>>` may append to it", async () => {
    const { bash, calls } = counted();
    await bash.exec("echo x > /big; echo y > /log");
    calls.length = 0;
    await bash.exec("[ -f /big ] && echo z >> /log");
    expect(calls).toEqual(["stat", "readRaw", "uploadFiles"]);
  });

  it("append to what another has stored since the file was read ahead", async () => {
    const backend = new MemoryBackend();
    await backend.write("/log", "one\n");
    let races = 0;
    const raced = interceptBackend(backend, async ({ method, accesses }, proceed) => {
      const [path = ""] = accesses.map((access) => access.path);
      if (method === "uploadFiles" && races-- > 0)
        await (path === "/log" ? backend.edit(path, "one", "1") : backend.write(path, "theirs\n"));
      return proceed();
    });
    const bash = backendBash(Bash, raced);
    races = 1;
    expect((await bash.exec("echo two >> /log")).exitCode).toBe(0);
    races = 1;
    expect((await bash.exec("echo ours >> /new")).exitCode).toBe(0);
    expect((await bash.exec("cat /log /new")).stdout).toBe("1\ntwo\ntheirs\nours\n");
  });

  it("are one for a search, however many files there are", async () => {
    const backend = new MemoryBackend();
    const files = Array.from({ length: 300 }, (_, index): [string, Uint8Array] => [
      `/src/${index}.txt`,
      Buffer.from(index % 100 === 7 ? "needle\n" : "hay\n"),
    ]);
    await backend.uploadFiles(files);
    const { bash, calls } = counted(backend);
    const { stdout } = await bash.exec("grep -rl needle /src");
    expect(stdout).toBe("/src/107.txt\n/src/207.txt\n/src/7.txt\n");
    expect(calls).toEqual(["grep"]);
    calls.length = 0;
    expect((await bash.exec("rg -l needle /src")).stdout).toBe(stdout);
    expect(calls).toEqual(["glob", "grep"]);
  });

  it("carry the signal of the script and whoever runs it", async () => {
    const entries: AuditEntry[] = [];
    const audited = withAudit(new MemoryBackend(), (entry) => void entries.push(entry));
    const bash = backendBash(Bash, audited);
    await runAsCaller({ actor: "ada", toolCallId: "call-7" }, () => bash.exec("echo a > /a"));
    expect(currentCaller()).toEqual({});
    expect(entries).toContainEqual(
      expect.objectContaining({ phase: "end", actor: "ada", toolCallId: "call-7" }),
    );
    const controller = new AbortController();
    const waiting = interceptBackend(new MemoryBackend(), async ({ method, args }, proceed) => {
      if (method !== "downloadFiles") return proceed();
      controller.abort();
      const options = args.at(-1) as { signal?: AbortSignal };
      expect(options.signal?.aborted).toBe(true);
      return proceed();
    });
    await waiting.uploadFiles?.([["/a", Buffer.from("a")]]);
    const aborted = await backendBash(Bash, waiting)
      .exec("cat /a", { signal: controller.signal })
      .catch(() => ({ stdout: "", exitCode: 1 }));
    expect(aborted.stdout).toBe("");
    expect(aborted.exitCode).not.toBe(0);
    expect.assertions(5);
  });

  it.each(["grep -r needle /src", "rg needle /src"])("carry the signal in %s", async (command) => {
    const controller = new AbortController();
    const aborted: Array<boolean | undefined> = [];
    const files = interceptBackend(new MemoryBackend(), async ({ method, args }, proceed) => {
      if (method !== "grep") return proceed();
      controller.abort();
      const { signal } = args.at(-1) as { signal?: AbortSignal };
      aborted.push(signal?.aborted);
      return proceed();
    });
    await files.uploadFiles?.([["/src/a", Buffer.from("needle")]]);
    const found = await backendBash(Bash, files)
      .exec(command, { signal: controller.signal })
      .catch(() => ({ stdout: "" }));
    expect(found.stdout).toBe("");
    expect(aborted[0]).toBe(true);
  });
});

describe("a search", () => {
  const files: Record<string, string> = {
    "/p/a.txt": "alpha\nbeta 1+1\n",
    "/p/sub/b.txt": "Alpha (x)\nbeta\n",
    "/p/sub/.hidden": "alpha\n",
    "/p/sub/deep/c.ts": "const alpha = [1];\n",
  };
  const commands = [
    "grep -r alpha /p",
    "grep -rn alpha /p/sub",
    "grep -rni ALPHA /p/",
    "grep -rl alpha .",
    "grep -rh alpha ./sub",
    "grep -rn 1+1 /p",
    "grep -rn '(x)' /p",
    "grep -rnE 'a(l|x)pha' /p",
    "grep -rn 'b.ta$' /p",
    "grep -rn '\\[1\\]' /p",
    "grep -rnw alpha /p",
    "grep -rn -A1 alpha /p",
    "grep -rv alpha /p",
    "grep -rn --include='*.ts' alpha /p",
    "grep -rn alpha /p/a.txt",
    "grep -rn alpha /none",
    "grep -n alpha /p/a.txt",
    "cat /p/a.txt | grep beta",
    "rg alpha /p",
    "rg -n alpha /p/sub",
    "rg -l -i alpha /p",
    "rg 'a.pha' /p",
    "rg alpha /p/a.txt",
    "rg alpha /none",
    "rg --hidden alpha /p",
    "cd /p/sub && rg alpha .",
    "cd /p/sub && rg alpha",
  ];

  for (const ignored of ["nothing is", "a file is"]) {
    it(`finds what the shell's own command finds, where ${ignored} ignored`, async () => {
      const given = {
        ...files,
        ...(ignored === "a file is" ? { "/p/.gitignore": "a.txt\n" } : {}),
      };
      const backend = new MemoryBackend();
      await backend.uploadFiles(
        Object.entries(given).map(([path, text]) => [path, Buffer.from(text)]),
      );
      const ours = backendBash(Bash, backend, { cwd: "/p" });
      const theirs = new Bash({ fs: new InMemoryFs(given), cwd: "/p" });
      const sorted = async (bash: Bash, command: string): Promise<unknown> => {
        const { stdout, exitCode } = await bash.exec(command);
        return { command, lines: stdout.split("\n").toSorted(), exitCode };
      };
      for (const command of commands)
        expect(await sorted(ours, command)).toEqual(await sorted(theirs, command));
    });
  }
});

describe("the filesystem", () => {
  it("fits the interface of just-bash, and works in a shell of one's own", async () => {
    const backend = new MemoryBackend();
    const fs = bashFilesystem(backend);
    expectTypeOf(fs).toExtend<IFileSystem>();
    const bash = new Bash({ fs, cwd: "/" });
    const { stdout } = await bash.exec("echo a > /f; echo b >> /f; cat /f; ls /");
    expect(stdout).toBe("a\nb\nf\n");
    expect((await backend.read("/f")).content).toBe("a\nb\n");
  });

  it("says what it cannot do, and what the backend refuses", async () => {
    const bash = backendBash(Bash, readOnly(new MemoryBackend()));
    for (const command of ["echo x > /f", ": > /f", "mkdir /d; echo x > /d/f"]) {
      const { exitCode, stderr } = await bash.exec(command);
      expect([command, exitCode]).toEqual([command, 1]);
      expect(stderr).not.toBe("");
    }
    const writable = backendBash(Bash, new MemoryBackend());
    expect((await writable.exec("echo x > /l; ln -s /l /b; ls /")).stdout).toBe("l\n");
    expect((await writable.exec("echo x > /a; chmod 600 /a")).exitCode).not.toBe(0);
    expect((await writable.exec("touch -d 2001-01-01 /a")).exitCode).not.toBe(0);
    expect((await writable.exec("echo x > /dev/null; echo x > /dev/none")).exitCode).toBe(1);
    expect((await writable.exec("ls /")).stdout).toBe("a\nl\n");
  });

  it("edits in place only what the script has read, and redirects over anything", async () => {
    const backend = new MemoryBackend();
    const lines = Array.from({ length: 20 }, (_, index) => `[${index}]`);
    await backend.write("/f", `${lines.join("\n")}\n`);
    const shells = [backendBash(Bash, backend), backendBash(Bash, backend)];
    const results = await Promise.all(
      lines.map(async (_, index) =>
        shells[index % 2]?.exec(`sed -i 's/^\\[${index}\\]$/[${index}]!/' /f`),
      ),
    );
    const { content } = await backend.read("/f");
    const done = results.map((result) => result?.exitCode === 0);
    expect(done).toContain(true);
    expect(lines.map((line) => String(content).includes(`${line}!`))).toEqual(done);
    const { exitCode } = await backendBash(Bash, backend).exec(
      "cat /f; echo old > /f; echo new | tee /f; : > /g; cat /g; echo g | tee /g; sed -i s/g/G/ /g",
    );
    expect(exitCode).toBe(0);
    expect((await backend.read("/f")).content).toBe("new\n");
    expect((await backend.read("/g")).content).toBe("G\n");
  });

  it("keeps all of 20 appends that run together, in two shells", async () => {
    const backend = new MemoryBackend();
    const shells = [backendBash(Bash, backend), backendBash(Bash, backend)];
    const runs = Array.from({ length: 20 }, async (_, index) =>
      shells[index % 2]?.exec(`echo line ${index} >> /log`),
    );
    for (const result of await Promise.all(runs)) expect(result?.exitCode).toBe(0);
    const { content } = await backend.read("/log");
    expect(String(content).trim().split("\n")).toHaveLength(20);
  });
});

import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { BubblewrapSandbox } from "@fs/shell";
import { describeWithServer } from "@fs/test-servers/vitest";

describeWithServer("bubblewrap", "BubblewrapSandbox", () => {
  const base = mkdtempSync(join(tmpdir(), "fs-bubblewrap-"));
  const workspace = join(base, "workspace");
  const secret = join(base, "secret.txt");
  const expectUntouched = (): void => {
    expect(readFileSync(secret, "utf8")).toBe("top secret");
    expect(readdirSync(base).toSorted()).toEqual(["secret.txt", "workspace"]);
  };
  let sandbox: BubblewrapSandbox;
  let server: Server;
  let port = 0;

  beforeAll(async () => {
    mkdirSync(workspace);
    writeFileSync(secret, "top secret");
    process.env["FS_TEST_SECRET"] = "top secret";
    sandbox = new BubblewrapSandbox({
      workspace,
      timeout: 20,
      limits: { memoryBytes: 2 ** 29, fileBytes: 2 ** 23, cpuSeconds: 1 },
    });
    server = createServer((socket) => socket.end("top secret"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  });

  afterEach(() => {
    // The independent witness of every attempt below.
    expectUntouched();
  });

  afterAll(async () => {
    delete process.env["FS_TEST_SECRET"];
    await sandbox[Symbol.asyncDispose]();
    server.close();
  });

  test("runs commands in the workspace, which lasts", async () => {
    expect(await sandbox.execute("pwd; echo made > here.txt")).toMatchObject({
      output: "/workspace\n",
      exitCode: 0,
    });
    expect(readFileSync(join(workspace, "here.txt"), "utf8")).toBe("made\n");
    expect(await sandbox.read("/workspace/here.txt")).toMatchObject({ content: "made\n" });
    expect(await sandbox.write("/workspace/there.txt", "x")).toMatchObject({
      path: "/workspace/there.txt",
    });
    expect(await sandbox.execute("cat there.txt; echo t > /tmp/kept")).toMatchObject({
      output: "x",
    });
    expect(await sandbox.execute("cat /tmp/kept")).toMatchObject({ output: "t\n" });
  });

  test("files outside the workspace are read-only or not there", async () => {
    expect(await sandbox.write("/usr/evil", "x")).toMatchObject({ code: "permission_denied" });
    expect(await sandbox.delete("/usr/bin")).toHaveProperty("error");
    expect(await sandbox.read("/etc/shadow")).toMatchObject({ code: "not_found" });
    expect(await sandbox.read(secret)).toMatchObject({ code: "not_found" });
    for (const place of ["/etc", "/home", "/root", "/tmp", "/var", "/workspace"])
      expect((await sandbox.glob("**/secret.txt", place)).files ?? []).toEqual([]);
  });

  test("settings of the machine cannot be written, whoever runs the sandbox", async () => {
    // Asked, never tried: to succeed would change this machine.
    const asked = ["sys/kernel/core_pattern", "sysrq-trigger", "sys/vm/drop_caches", "irq", "bus"]
      .map((name) => `[ -w /proc/${name} ] && echo ${name}`)
      .join("; ");
    expect(await sandbox.execute(`${asked}; id -u`)).toMatchObject({
      output: process.getuid?.() === 0 ? "65534\n" : `${process.getuid?.()}\n`,
    });
  });

  test("no command line holds a variable's value or a path of the host", async () => {
    await using withSecret = new BubblewrapSandbox({ workspace, env: { TOKEN: "t0p-value" } });
    const running = withSecret.execute("echo $TOKEN; tr '\\0' ' ' </proc/1/cmdline; sleep 1");
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    const lines = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).split("\n");
    const { output } = await running;
    expect(output).toMatch(/^t0p-value\nbwrap /);
    expect(output).not.toContain(base);
    const own = lines.filter((line) => line.includes("/proc/1/cmdline"));
    expect(own).not.toEqual([]);
    expect(own.filter((line) => line.includes("t0p-value") || line.includes(base))).toEqual([]);
  });

  test("a file tool says where its files are for a command", () => {
    expect(sandbox.executeDescription).toContain("means the same");
    const rooted = new BubblewrapSandbox({ workspace, rootDir: "/workspace" });
    expect(rooted.executeDescription).toContain("their /src/a.ts is /workspace/src/a.ts");
  });

  describe("attempts to get out", () => {
    test.each([
      ["reads the secret", () => `cat ${secret}`],
      ["reads it through a parent", () => "cat ../secret.txt"],
      [
        "reads through the root of another process",
        () => `cat /proc/1/root${secret} /proc/*/root${secret}`,
      ],
      [
        "reads the environment of the host's processes",
        () => "cat /proc/*/environ | tr '\\0' '\\n'",
      ],
      ["reads its own environment", () => "env; cat /proc/self/environ"],
      ["finds it anywhere", () => "find / -xdev -name secret.txt -exec cat {} + 2>/dev/null"],
      ["reads the host's accounts", () => "cat /etc/shadow /etc/passwd"],
      ["mounts", () => `mkdir -p /tmp/m && mount --bind / /tmp/m && cat /tmp/m${secret}`],
      ["makes namespaces of its own", () => `unshare -Urm sh -c 'cat ${secret}'`],
      ["enters the namespaces of the first process", () => `nsenter -t 1 -a cat ${secret}`],
      [
        "becomes root",
        () => `su -c 'cat ${secret}' || sudo cat ${secret} || chroot / cat ${secret}`,
      ],
      ["makes a device", () => "mknod /tmp/disk b 254 0 && head -c 100 /tmp/disk"],
      ["opens the host's disk", () => "head -c 100 /dev/vda /dev/sda /dev/mem"],
      ["loads a module", () => "modprobe dummy && echo top secret"],
      ["talks to the host's loopback", () => `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`],
      [
        "talks to it with a tool",
        () => `curl -m 2 telnet://127.0.0.1:${port} || wget -T 2 -O- http://127.0.0.1:${port}`,
      ],
      ["writes over the system", () => "touch /usr/fs-escaped /etc/fs-escaped && echo top secret"],
      ["removes everything it can", () => `mkdir -p gone && rm -rf ${secret} gone`],
      ["links to the secret", () => `ln -s ${secret} link; cat link; ln ${secret} hard; cat hard`],
      ["types into the terminal", () => "printf '\\033c' > /dev/tty"],
    ])("%s", async (_, command) => {
      const { output } = await sandbox.execute(`bash -c ${quoted(command())} 2>&1`);
      expect(output).not.toContain("top secret");
      // Still there, and still working.
      expect(await sandbox.execute("echo alive")).toMatchObject({ output: "alive\n" });
    });

    test("a link that a command planted leads nowhere through the file tools", async () => {
      symlinkSync(secret, join(workspace, "planted"));
      symlinkSync(base, join(workspace, "planted-directory"));
      expect(await sandbox.read("/workspace/planted")).toHaveProperty("error");
      expect(await sandbox.read("/workspace/planted-directory/secret.txt")).toHaveProperty("error");
      expect(await sandbox.write("/workspace/planted-directory/new.txt", "x")).toHaveProperty(
        "error",
      );
    });
  });

  describe("limits", () => {
    test("processes do not outlive their command", async () => {
      await sandbox.execute(
        "(sleep 64.44; echo late > /workspace/late.txt) & setsid sleep 64.44 & echo done",
      );
      expect((await sandbox.execute("cat /proc/*/cmdline | tr '\\0' ' '")).output).not.toContain(
        "64.44",
      );
    });

    test("time", async () => {
      expect(
        await sandbox.execute("setsid sleep 65.55 & sleep 65.55", { timeout: 0.5 }),
      ).toMatchObject({ code: "timeout" });
    });

    test("memory, file size and processor time", async () => {
      expect(
        await sandbox.execute("dd if=/dev/zero of=/dev/null bs=1G count=1 && echo allocated"),
      ).toMatchObject({ output: expect.not.stringContaining("allocated") });
      const big = await sandbox.execute("head -c 20000000 /dev/zero > big; wc -c < big");
      expect(Number(big.output.split("\n").at(-2))).toBeLessThanOrEqual(8 * 1024 * 1024);
      expect((await sandbox.execute("while :; do :; done")).exitCode).not.toBe(0);
    });
  });

  test("without a network there is not even a loopback of the host, with one there is", async () => {
    const command = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3'`;
    expect((await sandbox.execute(command)).exitCode).not.toBe(0);
    await using open = new BubblewrapSandbox({ workspace, network: true });
    expect(await open.execute(command)).toMatchObject({ output: "top secret" });
  });
});

test("where bubblewrap is missing, every call says so", async () => {
  const { PATH } = process.env;
  process.env["PATH"] = "/nonexistent";
  const { findBubblewrap } = await import("../src/bubblewrap/find-bubblewrap.js");
  expect(findBubblewrap([])).toBeUndefined();
  process.env["PATH"] = PATH;
});

test.each<[unknown]>([
  [{}],
  [undefined],
  ["path"],
  [{ workspace: "" }],
  [{ workspace: "x", root: "/" }],
  [{ workspace: "x", network: "yes" }],
  [{ workspace: "x", limits: { memory: 1 } }],
  [{ workspace: "x", rootDir: "relative" }],
])("options %j are refused at construction", (options) => {
  expect(() => new BubblewrapSandbox(options as never)).toThrow(TypeError);
});

test("a bad limit is refused at construction", () => {
  expect(() => new BubblewrapSandbox({ workspace: "x", limits: { memoryBytes: -1 } })).toThrow(
    TypeError,
  );
});

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

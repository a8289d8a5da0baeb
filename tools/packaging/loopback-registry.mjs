// A package registry of our own on this machine, for one run: a port that the system gave, no uplink, its storage in a
// temporary folder.
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "./run-quietly.mjs";

/** The last line of verdaccio that runs on every Node that we support. Its own pin of `node-fetch` names a tag that is gone. */
const VERDACCIO = "6.1.6";
const OVERRIDES = { "node-fetch": "2.7.0" };

/**
 * Installs and starts the registry.
 *
 * @param {string} folder An empty folder.
 * @returns {Promise<{ url: string, token: string, stop: () => Promise<void> }>} `url` ends with a slash.
 */
export async function startRegistry(folder) {
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, dependencies: { verdaccio: VERDACCIO }, overrides: OVERRIDES };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  await runQuietly("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], folder);
  const config = {
    storage: "./storage",
    auth: { htpasswd: { file: "./htpasswd", max_users: 1 } },
    uplinks: {},
    packages: { "**": { access: "$all", publish: "$authenticated" } },
    max_body_size: "50mb",
    log: { type: "stdout", format: "json", level: "error" },
  };
  // Every JSON document is YAML.
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
  const child = fork(new URL("registry-process.mjs", import.meta.url), [], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => {
      said += String(data);
    });
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
  });
  const stop = async () => {
    child.kill();
    await ended;
  };
  try {
    // The child reports its own port, so no other registry can be meant.
    const port = await new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", () => reject(new Error(`The registry ended: ${said}`)));
    });
    const url = `http://127.0.0.1:${port}/`;
    return { url, token: await newUser(url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The only user there will be; whoever comes later may not publish. */
async function newUser(url) {
  const user = { name: "release", password: randomUUID() };
  const response = await fetch(`${url}-/user/org.couchdb.user:${user.name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(user),
  });
  const { token } = await response.json();
  if (typeof token !== "string") throw new Error(`The registry gave no token: ${response.status}`);
  return token;
}

/** The lines of an `.npmrc` that send the packages of this repository, and nothing else, to the registry. */
export function npmrcFor({ url, token }) {
  return `@fs:registry=${url}\n${url.replace("http:", "")}:_authToken=${token}\n`;
}

/** Publishes tarballs, one after the other. */
export async function publishAll(registry, tarballs, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".npmrc"), npmrcFor(registry));
  for (const tarball of tarballs)
    await runQuietly(
      "npm",
      ["publish", tarball, "--registry", registry.url, "--tag", "latest"],
      folder,
    );
}

import { spawn } from "node:child_process";

/** Without the settings of the npm that runs this script, which are not a user's. */
function userEnvironment() {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|NODE_OPTIONS$|INIT_CWD$)/i.test(name),
  );
  return {
    ...Object.fromEntries(own),
    npm_config_loglevel: "error",
    npm_config_update_notifier: "false",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };
}

/**
 * Runs a program to its end, at most ten minutes. Rejects with all that it printed when it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} [env]
 * @returns {Promise<string>} What it printed.
 */
export function runQuietly(command, args, cwd, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...userEnvironment(), ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 600_000,
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data) => {
        printed += String(data);
      });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(printed);
      else
        reject(
          new Error(`${command} ${args.join(" ")} ended with ${code}:\n${printed.slice(-4000)}`),
        );
    });
  });
}

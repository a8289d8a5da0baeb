import { readFileSync } from "node:fs";

function ownVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  const version: unknown = Reflect.get(Object(manifest), "version");
  return typeof version === "string" ? version : "0.0.0";
}

/** The version of this package. */
export const VERSION = ownVersion();

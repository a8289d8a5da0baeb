// Loads a package once more for every fault: a graph of its own, named by a query, in which one module is faulty.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { faulty } from "./faults.mjs";

/** What a module's address ends with, before the fault of its graph. */
export const FAULT = "?fault=";

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const [, encoded] = (context.parentURL ?? "").split(FAULT);
  if (encoded === undefined || found.url.includes("?")) return found;
  const isOwn = found.url.includes(`/packages/${faultOf(encoded).package}/dist/`);
  return isOwn ? { ...found, url: `${found.url}${FAULT}${encoded}` } : found;
}

export async function load(url, context, next) {
  const [file, encoded] = url.split(FAULT);
  if (encoded === undefined) return next(url, context);
  const source = readFileSync(fileURLToPath(file), "utf8");
  const { package: name, module, ...fault } = faultOf(encoded);
  const isFaulty = file.endsWith(`/packages/${name}/dist/${module}`);
  return {
    format: "module",
    shortCircuit: true,
    source: isFaulty ? faulty(source, fault) : source,
  };
}

function faultOf(encoded) {
  return JSON.parse(Buffer.from(encoded, "base64url").toString());
}

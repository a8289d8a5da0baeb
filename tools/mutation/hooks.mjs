// Loads @fs/protocol once more for every fault: a graph of its own, named by a query, in which one module is faulty.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { faulty } from "./faults.mjs";

const QUERY = "?fault=";

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const [, fault] = (context.parentURL ?? "").split(QUERY);
  const isOwn = found.url.includes("/packages/protocol/dist/") && !found.url.includes("?");
  return fault !== undefined && isOwn ? { ...found, url: `${found.url}${QUERY}${fault}` } : found;
}

export async function load(url, context, next) {
  const [file, encoded] = url.split(QUERY);
  if (encoded === undefined) return next(url, context);
  const source = readFileSync(fileURLToPath(file), "utf8");
  const { module, ...fault } = JSON.parse(Buffer.from(encoded, "base64url").toString());
  const isFaulty = file.endsWith(`/dist/${module}`);
  return {
    format: "module",
    shortCircuit: true,
    source: isFaulty ? faulty(source, fault) : source,
  };
}

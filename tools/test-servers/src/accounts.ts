import { readFileSync } from "node:fs";

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The first of these accounts that the machine has. */
export function findAccount(...names: readonly string[]): Account {
  const rows = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of names) {
    const row = rows.find((candidate) => candidate[0] === name);
    if (row) return { uid: Number(row[2]), gid: Number(row[3]) };
  }
  throw new Error(`none of these accounts exists: ${names.join(", ")}`);
}

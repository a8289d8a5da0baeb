import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { CHOOSING, writeLevels } from "./matrix-table.js";
import { filesWithTables, writeTables } from "./option-tables.js";
import { root } from "./repository.js";

// Writes what the repository's Markdown takes from elsewhere: options from the types, levels from the matrix.
writeTables();
writeLevels();
const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/oxfmt/bin/oxfmt"), ...filesWithTables(), CHOOSING],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;

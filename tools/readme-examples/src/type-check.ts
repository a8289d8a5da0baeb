import { basename, dirname } from "node:path";
import { codeBlocks } from "./extract.js";

/** A module to hand to the compiler, and where its text comes from. */
export interface CheckedModule {
  /** The Markdown file, with the folder it is in. */
  readonly page: string;
  readonly code: string;
}

/**
 * One module for each page that has TypeScript blocks, with all of them in it, the ones that are not run as well.
 *
 * A block sees what the blocks before it have declared, and may declare it anew, as a reader goes on from one to the next. What no
 * block declares is to be declared by the ambient file of whoever compiles.
 */
export function typeCheckedModules(pages: readonly string[]): CheckedModule[] {
  return pages.flatMap((page) => {
    const blocks = codeBlocks(page).filter(({ info }) => info === "ts" || info === "ts no-run");
    if (blocks.length === 0) return [];
    const imports = new Set<string>();
    const bodies = blocks.map(({ code, line }) => {
      const { body, imported } = withoutImports(code);
      for (const statement of imported) imports.add(statement);
      return `// ${basename(page)}:${line}\n${body}`;
    });
    const opening = bodies.map((body) => `{\n${body}\n`).join("");
    const code = `${mergedImports(imports)}\n${opening}${"}".repeat(bodies.length)}\nexport {};\n`;
    return [{ page: `${basename(dirname(page))}/${basename(page)}`, code }];
  });
}

const IMPORT = /^import\s(?:[^;"]*\sfrom\s)?"[^"]+";?[ \t]*(?:\/\/.*)?$/gm;

function withoutImports(code: string): { body: string; imported: string[] } {
  const imported: string[] = [];
  const body = code.replace(IMPORT, (statement) => {
    imported.push(statement.replace(/\/\/.*$/, "").trim());
    return "";
  });
  return {
    body: body.replace(/^export (?=const|class|interface|type|function|async)/gm, ""),
    imported,
  };
}

/** Each name once: blocks of one page import the same things. */
function mergedImports(statements: ReadonlySet<string>): string {
  const named = new Map<string, Set<string>>();
  const others = new Set<string>();
  for (const statement of statements) {
    const match = /^import (type )?\{([^}]*)\} from "([^"]+)";?$/.exec(
      statement.replace(/\s+/g, " "),
    );
    if (match === null) {
      others.add(statement);
      continue;
    }
    const [, type = "", names = "", module = ""] = match;
    const known = named.get(module) ?? new Set<string>();
    for (const name of names
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== ""))
      known.add(`${type}${name}`);
    named.set(module, known);
  }
  const lines = [...named].map(([module, names]) => {
    const values = [...names].filter(
      (name) => !names.has(name.replace(/^type /, "")) || !name.startsWith("type "),
    );
    return `import { ${values.join(", ")} } from "${module}";`;
  });
  return [...others, ...lines].join("\n");
}

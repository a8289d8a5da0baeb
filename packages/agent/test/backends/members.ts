import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The classes of deepagents whose programs run here. */
export const CLASSES = [
  "StateBackend",
  "StoreBackend",
  "CompositeBackend",
  "FilesystemBackend",
  "LocalShellBackend",
  "BaseSandbox",
  "ContextHubBackend",
] as const;
export type ClassName = (typeof CLASSES)[number];

/** The public members of a class of the installed deepagents, inherited ones left out, as its declarations have them. */
export function publicMembers(name: ClassName): string[] {
  const lines = declarations().split("\n");
  const start = lines.findIndex((line) =>
    new RegExp(`^declare (abstract )?class ${name}\\b`).test(line),
  );
  if (start === -1) throw new Error(`deepagents declares no ${name}`);
  const end = lines.indexOf("}", start);
  const members = lines.slice(start + 1, end).flatMap((line) => {
    const member =
      /^ {2}(?!private |protected |#)(?:(?:static|abstract|readonly|get|set|async) )*(\w+)[(:?<]/.exec(
        line,
      );
    return member?.[1] === undefined || member[1] === "constructor" ? [] : [member[1]];
  });
  return [...new Set(members)];
}

/** The options of the constructors of these classes, as the declarations have them. */
export function documentedOptions(): string[] {
  const text = declarations();
  const interfaces = ["BackendOptions", "StoreBackendOptions", "LocalShellBackendOptions"].map(
    (name) => new RegExp(`^interface ${name}\\b[^{]*\\{([^]*?)^\\}`, "m").exec(text)?.[1] ?? "",
  );
  const inline = ["FilesystemBackend", "ContextHubBackend"].map(
    (name) =>
      new RegExp(`^declare class ${name}\\b[^]*?constructor\\([^{]*\\{([^}]*)\\}`, "m").exec(
        text,
      )?.[1] ?? "",
  );
  const lines = [...interfaces, ...inline].flatMap((body) => body.split("\n"));
  const names = lines.flatMap((line) => /^ +(\w+)\?:/.exec(line)?.[1] ?? []);
  return [...new Set(names)];
}

function declarations(): string {
  const folder = dirname(createRequire(import.meta.url).resolve("deepagents"));
  const files = readdirSync(folder).filter((file) => file.endsWith(".d.ts"));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
  const found = texts.find((text) => text.includes("declare class FilesystemBackend"));
  if (found === undefined) throw new Error("deepagents declares no FilesystemBackend");
  return found;
}

/** Notes which members of which class a program uses. */
export class Uses {
  readonly #seen = new Set<string>();

  has(name: ClassName, member: string): boolean {
    return this.#seen.has(`${name}.${member}`);
  }

  note(name: ClassName, member: string): void {
    this.#seen.add(`${name}.${member}`);
  }

  /** The same object, whose uses are noted. */
  of<T extends object>(name: ClassName, target: T): T {
    return new Proxy(target, {
      get: (inner, member) => {
        this.note(name, String(member));
        // Private fields are those of the object itself.
        const value: unknown = Reflect.get(inner, member, inner);
        return typeof value === "function" ? value.bind(inner) : value;
      },
    });
  }
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { root } from "./repository.js";

/** One option as its docstring has it. */
export interface Option {
  readonly name: string;
  readonly need: "required" | "optional" | "one of the two";
  readonly type: string;
  /** Without the sentence about the default. */
  readonly meaning: string;
  readonly fallback: string;
}

/** The options of a type, and the types that it takes more from. */
export interface Options {
  readonly own: readonly Option[];
  readonly inherited: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Reads an interface, or an alias of an intersection of object types, from a source of the repository. */
export function readOptions(name: string, path: string): Options {
  const source = readFileSync(join(root, path), "utf8");
  const { program, comments, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const declarations = (program.body as unknown as Node[]).map((node) =>
    node.type === "ExportNamedDeclaration" ? (node["declaration"] as Node | null) : node,
  );
  const found = declarations.find((node) => (node?.["id"] as { name?: string })?.name === name);
  if (found === null || found === undefined) throw new Error(`${path} has no ${name}.`);
  const text = (node: Node): string => source.slice(node.start, node.end);
  const { members, inherited } = partsOf(found, text, (reference) =>
    declarations.find((node) => (node?.["id"] as { name?: string })?.name === reference),
  );
  const own = members.flatMap((member) => {
    const doc = comments.findLast(
      ({ end, type }) =>
        type === "Block" && end <= member.start && source.slice(end, member.start).trim() === "",
    );
    const option = optionOf(member, doc?.value ?? "", text);
    return option === undefined ? [] : [option];
  });
  return { own, inherited };
}

interface Parts {
  readonly members: readonly Node[];
  readonly inherited: readonly string[];
}
type FindType = (name: string) => Node | null | undefined;

function partsOf(node: Node, text: (node: Node) => string, find: FindType): Parts {
  switch (node.type) {
    case "TSInterfaceDeclaration": {
      const parents = (node["extends"] as Node[] | undefined) ?? [];
      return { members: (node["body"] as { body: Node[] }).body, inherited: parents.map(text) };
    }
    case "TSTypeAliasDeclaration":
      return partsOf(node["typeAnnotation"] as Node, text, find);
    case "TSIntersectionType":
    case "TSUnionType": {
      const parts = (node["types"] as Node[]).map((part) => partsOf(part, text, find));
      const members = parts.flatMap((part) => part.members);
      const either = node.type === "TSUnionType";
      return {
        members: either ? members.map((member) => ({ ...member, optional: "either" })) : members,
        inherited: parts.flatMap(({ inherited }) => inherited),
      };
    }
    case "TSTypeLiteral":
      return { members: node["members"] as Node[], inherited: [] };
    default: {
      // A type of the same file is part of the table, one of another file has its own.
      const local = node.type === "TSTypeReference" ? find(text(node)) : undefined;
      return local === null || local === undefined
        ? { members: [], inherited: [text(node)] }
        : partsOf(local, text, find);
    }
  }
}

function optionOf(member: Node, doc: string, text: (node: Node) => string): Option | undefined {
  if (member.type !== "TSPropertySignature" || /@deprecated|@internal/.test(doc)) return undefined;
  const annotation = member["typeAnnotation"] as { typeAnnotation: Node } | null;
  // One of two alternatives says so of the other's options.
  if (annotation?.typeAnnotation.type === "TSUndefinedKeyword") return undefined;
  const sentence = doc
    .replace(/^\s*\* ?/gm, "")
    .replace(/\{@link ([\w.]+)\}/g, "`$1`")
    .replace(/\s+/g, " ")
    .trim();
  const { meaning, fallback } = withoutDefault(sentence);
  return {
    name: text(member["key"] as Node),
    need: needOf(member["optional"]),
    type: annotation === null ? "" : text(annotation.typeAnnotation).replace(/\s+/g, " "),
    meaning,
    fallback,
  };
}

function needOf(optional: unknown): Option["need"] {
  if (optional === "either") return "one of the two";
  return optional === true ? "optional" : "required";
}

/** A sentence such as "Default 16." or "Default: the working directory.", which may hold dots inside numbers and code. */
const DEFAULT = / ?\bDefault(?:, [^:`]*)?:? ((?:`[^`]*`|[^.`]|\.(?=\S))+)\./;

function withoutDefault(sentence: string): { meaning: string; fallback: string } {
  const marked = /(`[^`]+`)(?: \(default\)|, default(?=\)))/.exec(sentence);
  if (marked !== null)
    return {
      meaning: sentence.replace(marked[0], marked[1] ?? ""),
      fallback: marked[1] ?? "",
    };
  const said = DEFAULT.exec(sentence);
  return said === null
    ? { meaning: sentence, fallback: "" }
    : { meaning: sentence.replace(said[0], "").trim(), fallback: said[1] ?? "" };
}

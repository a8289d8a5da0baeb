// Syntactic faults of a module: small changes of the kind that people make, each of which a test should notice.
import { parseAst } from "vitest/node";

/** What an operator is mistaken for. */
const OPERATORS = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<="],
  "<=": ["<"],
  ">": [">="],
  ">=": [">"],
  "+": ["-"],
  "-": ["+"],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
};

/**
 * Every fault of a module: `{ start, end, text, what }`, where `text` replaces what is from `start` to `end`.
 * Sentences for people are left alone: their words are not promised.
 */
export function faultsOf(code) {
  const found = [];
  const add = (start, end, text, what) => found.push({ start, end, text, what });
  visit(parseAst(code), (node, parent) => {
    switch (node.type) {
      case "BinaryExpression":
      case "LogicalExpression":
        if (isText(node.left) || isText(node.right)) return;
        for (const other of OPERATORS[node.operator] ?? []) {
          const at =
            node.left.end + code.slice(node.left.end, node.right.start).indexOf(node.operator);
          add(at, at + node.operator.length, other, `'${node.operator}' is '${other}'`);
        }
        return;
      case "IfStatement":
      case "ConditionalExpression":
      case "WhileStatement": {
        const { start, end } = node.test;
        if (node.type !== "WhileStatement") add(start, end, "true", "a condition always holds");
        add(start, end, "false", "a condition never holds");
        return;
      }
      case "UnaryExpression":
        if (node.operator === "!") add(node.start, node.argument.start, "", "'!' is left out");
        return;
      case "Literal":
        if (typeof node.value === "boolean")
          add(node.start, node.end, String(!node.value), `${node.raw} is ${!node.value}`);
        if (typeof node.value === "number" && parent.type !== "Property")
          add(node.start, node.end, `(${node.raw} + 1)`, `${node.raw} is one more`);
        return;
      case "ExpressionStatement":
        if (node.expression.type !== "Literal")
          add(node.start, node.end, ";", "a statement is left out");
        return;
      case "AwaitExpression":
        add(node.start, node.argument.start, "", "'await' is left out");
        return;
      case "SpreadElement":
        if (parent.type === "ObjectExpression")
          add(node.start, node.end, "...{}", "a spread is left out");
        return;
      default:
    }
  });
  return found;
}

function isText({ type, value }) {
  return (
    type === "TemplateLiteral" ||
    (type === "Literal" && typeof value === "string" && /\s/.test(value))
  );
}

function visit(node, look, parent = node) {
  look(node, parent);
  for (const [key, value] of Object.entries(node)) {
    if (key === "parent" || typeof value !== "object" || value === null) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === "string") visit(child, look, node);
  }
}

/** The module with one fault in it. */
export function faulty(code, { start, end, text }) {
  return code.slice(0, start) + text + code.slice(end);
}

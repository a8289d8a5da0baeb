/** Warns the operator: a warning of the process in Node, a line of the console elsewhere. Answers nothing and never throws. */
export function emitWarning(warning: string | Error, type?: string, code?: string): void {
  // Bundlers leave a `process` without events behind.
  if (typeof globalThis.process?.emitWarning !== "function") console.warn(warning);
  else if (typeof warning === "string") process.emitWarning(warning, type ?? "Warning", code);
  else process.emitWarning(warning);
}

export { type CodeBlock, codeBlocks, readmeExamples, type ReadmeExample } from "./extract.js";
export { runExample, type ExampleRun, type RunExampleOptions } from "./run.js";
export { typeCheckedModules } from "./type-check.js";

export { readmeExamples, type ReadmeExample } from "./extract.js";
export { runExample, type ExampleRun, type RunExampleOptions } from "./run.js";

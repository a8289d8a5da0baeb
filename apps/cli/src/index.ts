/**
 * The command line of a filesystem of routes.
 *
 * @module
 */
export { EXIT } from "./exit-codes.js";
export { runProgram } from "./program.js";

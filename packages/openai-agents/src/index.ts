/**
 * The apply_patch and shell tools of the OpenAI Agents SDK over any filesystem backend.
 *
 * @module
 */
export { backendEditor, type BackendEditorOptions } from "./backend-editor.js";
export { backendShell, type BackendShellOptions, type CommandRunner } from "./backend-shell.js";

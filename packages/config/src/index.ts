/**
 * A composed filesystem from a configuration: routes over any backend, permissions, quotas, read-only.
 *
 * @module
 */
export { type Config, DEFAULT_CONFIG, parseConfig, type RouteConfig, type Use } from "./config.js";
export type { Environment } from "./environment.js";
export { CONFIG_NAMES, findConfig } from "./find-config.js";
export type { Layers } from "./layers.js";
export { loadConfig, type LoadedConfig, type LoadOptions } from "./load-config.js";
export { openTree, type OpenOptions, type OpenRoute, type Scope, type Tree } from "./open-tree.js";
export type { Redact } from "./redact.js";
export { CONFIG_SCHEMA, type ConfigSchema, USES } from "./schema.js";

import { optionsOf } from "@fs/protocol/async";
import type { FilesystemPermission } from "@fs/protocol";
import { StateSchema } from "@langchain/langgraph";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { z } from "zod";
import { checkSkillsOptions } from "../check/middleware-options.js";
import type { BackendOption } from "@fs/middleware";
import { fileSource } from "../files/source.js";
import { withPart } from "../prompt/assemble.js";
import { DEFAULT_PROMPTS, partOf } from "../prompt/sections.js";
import { type OnError, reporter } from "../types/report.js";
import { catalogOf } from "./catalog.js";
import { loadSkills } from "./load.js";
import type { SkillMetadata } from "./parse.js";

/** Options of {@link createSkillsMiddleware}. */
export interface SkillsMiddlewareOptions {
  /** Where the skills are. Default `new StateBackend()`. */
  backend?: BackendOption;
  /** Absolute paths of folders of skills, or of single skills. Later ones override earlier ones. */
  sources: readonly string[];
  /** Rules that reading obeys; one that would ask a human refuses, and denied skills do not show. */
  permissions?: readonly FilesystemPermission[];
  /** The text above the list; `false`: none. */
  prompt?: string | false;
  /** Called once with every skill that was left out, breaks a rule or overrides another. */
  onError?: OnError;
}

const entry = z.object({
  name: z.string(),
  description: z.string(),
  path: z.string(),
  license: z.string().nullable().optional(),
  compatibility: z.string().nullable().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  allowedTools: z.array(z.string()).optional(),
});

/** The state field of the skills, for middleware of an app that reads it or sets it to `null` to have them read again. */
export const skillsMetadataValue = z.array(entry).nullable().optional();

const stateSchema = new StateSchema({
  skillsMetadata: skillsMetadataValue,
  _moreSkills: z.number().optional(),
});

/**
 * Middleware that lists skills in the system prompt, one line each. Their files are read by the agent when it needs them.
 * The list is made at the start of every run, with two calls of the backend per source.
 */
export function createSkillsMiddleware(options: SkillsMiddlewareOptions) {
  checkSkillsOptions(options);
  const source = fileSource(options.backend, options.permissions);
  const report = reporter(options.onError);
  const guide = partOf(options.prompt, DEFAULT_PROMPTS.skills);
  return createMiddleware({
    name: "SkillsMiddleware",
    stateSchema,
    beforeAgent: async (state, runtime) => {
      const backend = await source({ ...runtime, state });
      const { skills, more } = await loadSkills(
        backend,
        options.sources,
        report,
        optionsOf(runtime.signal),
      );
      const { skillsMetadata: known, _moreSkills: before = 0 } = state;
      const same = JSON.stringify(known ?? []) === JSON.stringify(skills) && before === more;
      return same && known !== null ? undefined : { skillsMetadata: skills, _moreSkills: more };
    },
    wrapModelCall: async (request, handler) => {
      const { skillsMetadata: known, _moreSkills: more } = request.state;
      // Set to null during a run, by a middleware that saw a skill change: read again for this call.
      const again = async () =>
        loadSkills(
          await source(request),
          options.sources,
          report,
          optionsOf(request.runtime.signal),
        );
      const skills: readonly SkillMetadata[] =
        known === null ? (await again()).skills : ((known ?? []) as SkillMetadata[]);
      const part = catalogOf(guide, skills, more ?? 0);
      return handler({ ...request, systemMessage: withPart(request.systemMessage, part) });
    },
  }) satisfies AgentMiddleware;
}

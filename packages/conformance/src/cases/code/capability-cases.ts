import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import type { Answered } from "../../engine/checker.js";
import { show } from "../../report/render.js";
import { OPTIONAL_METHODS, type Capability } from "../../harness/profile.js";
import type { Case } from "../case.js";

/** A call of each optional method that would do something. */
const TRIALS: Readonly<Record<string, readonly unknown[]>> = {
  delete: ["/a.txt"],
  move: ["/a.txt", "/b.txt"],
  copy: ["/a.txt", "/b.txt"],
  multiEdit: ["/a.txt", [{ old: "a", new: "b" }]],
  uploadFiles: [[["/b.txt", Uint8Array.of(98)]]],
  downloadFiles: [["/a.txt"]],
  execute: ["exit 0"],
};

/**
 * What is claimed is there; what is not claimed is absent, or fails with `unsupported` and does nothing. `execute` is absent: a backend
 * that has it is taken for a sandbox, and agents are offered the tool.
 */
async function checkCapability(context: CaseContext, capability: Capability): Promise<void> {
  const { backend, check } = context;
  const claimed = context.profile[capability] !== false;
  for (const method of OPTIONAL_METHODS[capability]) {
    if (claimed) {
      check.that(
        backend.has(method),
        `The profile claims ${capability}, but the backend has no method '${method}'.`,
      );
    } else if (!backend.has(method)) {
      check.that(true, `'${method}' is absent.`);
    } else await checkUnclaimed(context, capability, method);
  }
}

async function checkUnclaimed(
  context: CaseContext,
  capability: Capability,
  method: string,
): Promise<void> {
  const { backend, check } = context;
  await context.given({ "/a.txt": "a" });
  const answer = await backend.call(method, TRIALS[method] ?? []);
  const results: unknown[] = Array.isArray(answer) ? answer : [answer];
  const refused = results.every((result) => (result as { error?: unknown }).error != null);
  if (refused) {
    check.that(
      method !== "execute",
      "'execute' is there, but refuses. Leave it out: a backend that has it is taken for a sandbox.",
    );
    for (const result of results) check.failed(result as { error: string }, "unsupported", method);
    check.equal((await backend.read("/a.txt")).content, "a", "The file after the refused call");
    return;
  }
  const sentence = `'${method}' works, but the profile has ${capability}: false. Claim it, so that it is tested.`;
  check.that(!context.strict, sentence);
  context.warnings.push(sentence);
}

/** F4: the features there are, and the method that one of them promises. */
const FEATURES: Readonly<Record<string, string | undefined>> = {
  stat: "stat",
  versions: undefined,
  conditionalUploads: undefined,
  pages: undefined,
  watch: "watch",
};

/** Calls that answer in pages where that is a feature. */
const PAGED: ReadonlyArray<readonly [method: string, args: readonly unknown[]]> = [
  ["ls", ["/"]],
  ["glob", ["**", "/"]],
];

/** Features in one order: a backend may name them in any, and in another the next time. */
function inOrder(features: unknown): unknown {
  return Array.isArray(features) ? features.map(String).toSorted() : features;
}

/** F4: what `features` names is there, and it stays so. */
async function checkFeatures(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const own = context.instance.backend;
  const read = (): unknown => Reflect.get(own, "features");
  const features = read();
  if (features === undefined) throw new NotApplicable("the backend has no 'features'");
  check.that(Array.isArray(features), `'features' should be a list, but is ${show(features)}.`);
  for (const feature of features as unknown[]) {
    check.that(
      typeof feature === "string" && feature in FEATURES,
      `'features' names ${show(feature)}, which is none of ${Object.keys(FEATURES).join(", ")}.`,
    );
    const method = FEATURES[String(feature)];
    check.that(
      method === undefined || backend.has(method),
      `'features' names '${String(feature)}', but the backend has no method '${String(method)}'.`,
    );
  }
  check.that(
    !backend.has("stat") || (features as unknown[]).includes("stat"),
    "The backend has 'stat', but its 'features' do not name it.",
  );
  if (!(features as unknown[]).includes("pages"))
    for (const [method, args] of PAGED)
      for (const options of [{ limit: 1 }, { after: "/a.txt" }])
        check.failed(
          (await backend.call(method, [...args, options])) as Answered,
          "unsupported",
          `${method} with ${show(options)}, as 'features' do not name 'pages',`,
          "A9",
        );
  const first = await backend.write("/features.txt", "one");
  check.succeeded(first, "write");
  if ((features as unknown[]).includes("versions"))
    check.that(
      typeof (await backend.read("/features.txt")).version === "string",
      "'features' names 'versions', but read gives none.",
    );
  check.equal(inOrder(read()), inOrder(features), "'features' after a few calls");
}

const featureCase: Case = {
  id: "capability/features",
  rules: ["F4", "A9"],
  level: "core",
  needs: [],
  why: "What `features` names is one of the words of F4, and the method that it stands for is there; what they do not name is refused, not ignored.",
  run: checkFeatures,
};

/** What a profile claims is compared with what the backend has, in both directions. */
export const capabilityCases: readonly Case[] = [
  featureCase,
  ...(Object.keys(OPTIONAL_METHODS) as Capability[]).map((capability): Case => ({
    id: `capability/${kebab(capability)}`,
    rules: ["A9"],
    level: "core",
    needs: [],
    why: `'${capability}' is there exactly when the profile claims it.`,
    hint: "A method that a backend cannot offer is left out, so that callers can ask for it. A stub that always fails says 'unsupported'; 'execute' has none.",
    run: (context) => checkCapability(context, capability),
  })),
];

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

import { NotApplicable } from "../../engine/check-failure.js";
import type { CaseContext } from "../../engine/case-context.js";

/** Whether the backend says that it has a feature (F4). */
export function hasFeature(context: CaseContext, feature: string): boolean {
  const { features }: { features?: unknown } = context.instance.backend;
  return Array.isArray(features) && features.includes(feature);
}

/** Ends a case about a feature that the backend does not say it has. */
export function requireFeature(context: CaseContext, feature: string): void {
  if (!hasFeature(context, feature))
    throw new NotApplicable(`the backend's 'features' do not name '${feature}'`);
}

/** What of a case a brief report knows. */
export interface BriefCase {
  readonly id: string;
  readonly rules: readonly string[];
  readonly status: string;
  readonly reason?: string;
  readonly failure?: { readonly message: string };
}

/** The cases of a report, put together. */
export interface BriefReport {
  readonly passed: readonly string[];
  readonly unpassed: ReadonlyArray<{
    readonly status: string;
    readonly ids: readonly string[];
    readonly reason?: string;
  }>;
}

export function briefly<R extends { readonly cases: readonly BriefCase[] }>(
  report: R,
): Omit<R, "cases"> & BriefReport;
export function inFull<B extends BriefReport>(
  brief: B,
): Omit<B, "passed" | "unpassed"> & { readonly cases: BriefCase[] };
export function textOf(brief: BriefReport): string;

import { TemporaryNames, VolumeError } from "@fs/protocol/author";

/** Where files wait on their way in or out, in the sandbox. */
export const STAGING = "/tmp/.fs-sandbox";

/** Names of files that are being stored in a sandbox, where they wait and beside the files that they become. */
export const TEMPORARY = new TemporaryNames(".fs-sandbox-");

type Outcomes<R> = Array<PromiseSettledResult<R>>;

/** Does in one batch what has paths that may be used; what has another is refused, each by itself. In input order. */
export async function outsideTemporary<T, R>(
  items: readonly T[],
  pathOf: (item: T) => string,
  batch: (items: readonly T[]) => Promise<Outcomes<R>>,
): Promise<Outcomes<R>> {
  const refusals = items.map((item) => TEMPORARY.refusalOf(pathOf(item)));
  const done = (await batch(items.filter((_, index) => refusals[index] === undefined))).values();
  return refusals.map((reason) =>
    reason === undefined
      ? (done.next().value ?? { status: "rejected", reason: new VolumeError("unavailable") })
      : { status: "rejected", reason },
  );
}

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { readFile } from "node:fs/promises";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** What publint has to say against a tarball, suggestions included, as sentences. */
export async function publintProblems(tarball: string): Promise<string[]> {
  const data = await readFile(tarball);
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes },
    strict: true,
  });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** The ways of resolving that a package of nothing but ESM must serve. */
const RESOLUTIONS = ["node16-esm", "bundler"] as const;

/** Every entry whose types would mislead a compiler, as sentences. */
export async function typeProblems(tarball: string): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  if (analysis.types === false) return ["it has no types"];
  return Object.entries(analysis.entrypoints).flatMap(([entry, { resolutions }]) =>
    RESOLUTIONS.flatMap((kind) => {
      const { visibleProblems = [], resolution } = resolutions[kind];
      if (resolution === undefined) return [`${entry} does not resolve (${kind})`];
      return visibleProblems.map(
        (index) => `${entry}: ${analysis.problems[index]?.kind ?? "a problem"} (${kind})`,
      );
    }),
  );
}

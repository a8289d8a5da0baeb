import { rolldown, type Plugin } from "rolldown";

/** What an import means to a bundler for a browser, and to one for an edge runtime. */
export const CONDITIONS = {
  browser: ["browser", "import", "default"],
  edge: ["workerd", "edge-light", "worker", "browser", "import", "default"],
} as const;

export interface WebBundle {
  /** A script that needs no loader. */
  readonly code: string;
  /** The modules of Node that it would still import. */
  readonly builtins: readonly string[];
}

/** Bundles a module and all that it imports into one script. Rejects for an import that does not resolve. */
export async function webBundle(
  entry: string,
  target: keyof typeof CONDITIONS,
  plugins: readonly Plugin[] = [],
): Promise<WebBundle> {
  const bundle = await rolldown({
    input: entry,
    platform: "browser",
    resolve: { conditionNames: [...CONDITIONS[target]] },
    external: /^node:/,
    plugins: [...plugins],
    onLog(level, log, handler) {
      if (log.code === "UNRESOLVED_IMPORT" || log.code === "IMPORT_IS_UNDEFINED")
        throw new Error(log.message);
      // Modules of Node under their old names are none in a browser, and are stated below.
      if (level !== "warn") handler(level, log);
    },
  });
  try {
    const modules = await bundle.generate({ format: "esm", codeSplitting: false });
    const builtins = modules.output
      .flatMap((chunk) =>
        chunk.type === "chunk" ? [...chunk.imports, ...chunk.dynamicImports] : [],
      )
      .filter((name) => name.startsWith("node:"));
    const script = await bundle.generate({ format: "iife", codeSplitting: false });
    return { code: script.output[0].code, builtins };
  } finally {
    await bundle.close();
  }
}

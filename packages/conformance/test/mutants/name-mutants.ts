import { mutant, type Mutant } from "./mutant.js";

/** A backend that reads a path as another one. */
function misnamed(name: string, bug: string, change: (path: string) => string): Mutant {
  const own = <P>(path: P): P => (typeof path === "string" ? (change(path) as P & string) : path);
  return mutant(`name/${name}`, "P3", bug, (inner) => ({
    ls: (path, ...rest) => inner.ls(own(path), ...rest),
    read: (path, ...rest) => inner.read(own(path), ...rest),
    readRaw: (path, ...rest) => inner.readRaw(own(path), ...rest),
    write: (path, ...rest) => inner.write(own(path), ...rest),
    edit: (path, ...rest) => inner.edit(own(path), ...rest),
    delete: (path, ...rest) => inner.delete(own(path), ...rest),
  }));
}

function refusing(name: string, bug: string, reserved: RegExp): Mutant {
  return mutant(`name/refuses-${name}`, "P3", bug, (inner) => ({
    write: async (path, ...rest) =>
      typeof path === "string" && reserved.test(path)
        ? { error: `'${path}' is not allowed here.`, code: "invalid_path" }
        : inner.write(path, ...rest),
  }));
}

function hiding(name: string, bug: string, hidden: RegExp): Mutant[] {
  return [
    mutant(`name/glob-hides-${name}`, "G1", `glob ${bug}`, (inner) => ({
      glob: async (...args) => {
        const result = await inner.glob(...args);
        return result.files === undefined
          ? result
          : { ...result, files: result.files.filter(({ path }) => !hidden.test(path)) };
      },
    })),
    mutant(`name/grep-hides-${name}`, "S3", `grep ${bug}`, (inner) => ({
      grep: async (...args) => {
        const result = await inner.grep(...args);
        return result.matches === undefined
          ? result
          : { ...result, matches: result.matches.filter(({ path }) => !hidden.test(path)) };
      },
    })),
  ];
}

/** Names that are taken for others, refused or hidden. */
export const NAME_MUTANTS: readonly Mutant[] = [
  {
    ...misnamed("joined-with-dots", "Directories are joined with dots.", (path) =>
      path.replace(/.*(?=\/)/, (directory) => directory.replaceAll(".", "/")),
    ),
    by: "path/joined-names",
  },
  {
    ...misnamed("index-of-a-prefix", "The index covers 767 characters of a path.", (path) =>
      path.slice(0, 767),
    ),
    by: "path/long-paths-apart",
  },
  misnamed("plus", "A plus is read as a space.", (path) => path.replaceAll("+", " ")),
  misnamed("no-break-space", "A no-break space is read as a space.", (path) =>
    path.replaceAll("\u00a0", " "),
  ),
  misnamed("zero-width", "Characters without width are dropped.", (path) =>
    path.replace(/[\u200b\ufeff]/g, ""),
  ),
  misnamed("compatible", "Names are made compatible.", (path) => path.normalize("NFKC")),
  misnamed("numbers", "Zeros before a number are dropped.", (path) =>
    path.replace(/\/0+(\d)/g, "/$1"),
  ),
  misnamed("wide-slash", "A slash of full width separates.", (path) =>
    path.replaceAll("\uff0f", "/"),
  ),
  refusing("devices", "Names of devices are refused.", /\/(?:con|nul|aux|com\d)(?:\.|\/|$)/i),
  refusing("dashes", "A name may not begin with a dash.", /\/-/),
  refusing("signs", "Signs that some systems reserve are refused.", /[<>|]/),
  refusing("directions", "Marks of direction are refused.", /[\u202a-\u202e\u2066-\u2069]/),
  ...hiding("packages", "leaves out what package managers install.", /\/node_modules\//),
  ...hiding("repositories", "leaves out repositories.", /\/\.git\//),
  ...hiding("temporary", "leaves out names of temporary files.", /\.tmp$/),
  ...hiding("replacements", "leaves out what may be no UTF-8.", /\ufffd/),
  ...hiding("keepers", "leaves out files that keep a directory.", /\/\.(?:git)?keep$/),
];

import type { CaseContext } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

/** Texts that are instructions to some format, protocol or tool, and here nothing but text. */
const TEXTS: Readonly<Record<string, string>> = {
  "mail.mbox": "Dear all,\nFrom now on\n>From then on\n\nFrom a@b Thu Jan  1 00:00:00 1970\n",
  "mail.eml": ".\n..\n.hidden\nSubject: =?utf-8?q?a=20b?=\n\na=3D=\nb=20\n",
  "front.md": "---\nname: a\ndescription: b\n---\n# A\n\n---\n",
  "plus.md": "+++\ntitle = 'a'\n+++\n# A\n",
  "only.md": "---\nname: a\n---\n",
  "page.html":
    "<!DOCTYPE html>\n<!-- c -->\n<p>&amp; &lt;b&gt; &#65;</p>\n<script>a < b</script>\n",
  "page.xml": '<?xml version="1.0" encoding="latin1"?>\n<a>  <b/>\t<![CDATA[]]></a>\n',
  "run.sh": "#!/bin/sh\ncat <<EOF\n$HOME `id` $(id)\nEOF\nEOT\n'EOF'\n__END__\n\\\n",
  "conflict.ts": "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n",
  "keywords.c": "/* $Id$ $Revision: 1.1 $ $Date$ */\n",
  "pointer.txt": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
  "link.txt": "!<symlink>/etc/passwd\n",
  "ref.txt": "ref: refs/heads/main\n",
  "encoded.txt": "SGVsbG8=\n",
  "uri.txt": "data:text/plain;base64,SGk=",
  "hex.txt": "\\x48656c6c6f",
  "copy.sql": "\\N\n\\.\nNULL\n'a''b' -- c\n",
  "table.csv": '\ufeffa,"b,""c""",=1+1\r\n1.10,007,1e3\r\n',
  "null.json": "null",
  "number.json": "1.0",
  "string.json": '"a\\u0041"',
  "twice.json": '{ "b": 1,\t"a": 2, "a": 3 }\n',
  "buffer.json": '{"type":"Buffer","data":[72,105]}',
  "file.json": '{"content":["a","b"],"created_at":"x","modified_at":"y"}',
  "object.json": '{"lc":1,"type":"constructor","id":["a"],"kwargs":{}}',
  "proto.json": '{"__proto__":{"a":1},"constructor":null}',
  "anchors.yml": "a: &a yes\nb: *a\nc: !!js/function 'x'\n",
  "template.txt": "{{a}} ${a} %(a)s {0} <%= a %> $1 $& %s %41 \\u0041 \\n\n",
  "message.http": "Content-Length: 3\r\n\r\nabc0\r\n\r\n--boundary\r\n",
  "coloured.log": "\u001b[31mred\u001b[0m\b\b\r50%\r100%\n",
  "spaces.txt": " \t leading\ntrailing \t \n\n\n \n",
  "breaks.txt": "\n\n\n",
  "page.txt": "a\fb\vc\u0085d\u2028e\u2029f\n",
  "letters.txt": "e\u0301 \u212b \ufb01 \u200b\u00ad\ufeff \u202e\n",
  "mark.txt": "\ufeff\ufeffa\n",
  "quoted.txt": "+AGE- =20 &#x41; %2F \\x41 \\101 xn--caf-dma\n",
};

/** W3: a text comes back as it was stored, and so do those made of it. */
async function kept(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const tops = ["/written", ...(profile.transfer ? ["/uploaded"] : [])];
  if (profile.transfer)
    await context.given(
      Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [`/uploaded/${name}`, text])),
    );
  for (const [name, text] of Object.entries(TEXTS))
    check.succeeded(await backend.write(`/written/${name}`, text), `write of ${name}`, "W1");
  const whole = (suffix: string, top: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(TEXTS).map(([name, text]) => [`${top}/${name}`, text + suffix]),
    );
  for (const top of tops) {
    await context.holds(whole("", top), backend, "W3");
    for (const [name, text] of Object.entries(TEXTS)) {
      const path = `${top}/${name}`;
      check.equal((await backend.read(path)).content, text, `What read gives of ${path}`, "R1");
      const raw = (await backend.readRaw(path)).data?.content;
      check.equal(raw, text, `What readRaw gives of ${path}`, "R9");
      const edited = await backend.edit(path, text, `${text}the end`);
      check.succeeded(edited, `edit of all of ${path}`, "E1");
    }
    await context.holds(whole("the end", top), backend, "E1");
    if (!profile.copy) continue;
    check.succeeded(await backend.copy(top, `/copies${top}`), `copy of ${top}`, "M1");
    await context.holds(whole("the end", `/copies${top}`), backend, "M1");
  }
}

/** Files by which tools are configured, which a filesystem must not obey. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ".gitattributes":
    "* text=auto eol=lf\n*.txt text working-tree-encoding=UTF-16\n*.md filter=lfs\n",
  ".editorconfig":
    "root = true\n[*]\nend_of_line = lf\ninsert_final_newline = true\ntrim_trailing_whitespace = true\n",
  ".prettierrc": '{ "endOfLine": "lf", "useTabs": false }\n',
  ".htaccess": "Deny from all\nAddEncoding gzip .txt\n",
  ".gitmodules": '[submodule "d"]\n\tpath = d\n',
  "desktop.ini": "[LocalizedFileNames]\na.txt=b.txt\n",
};
/** Texts that they would change, hide or call something else. */
const CONFIGURED: Readonly<Record<string, string>> = {
  "crlf.txt": "needle\r\nb\r\n",
  "mixed.md": "needle\r\nb\nc\rd",
  "spaces.txt": "needle  \n\t \n  b\t\n\n\n",
  "open.js": "  needle",
  "a.txt": "\ufeffneedle\n",
};

/** W3: what a file says of others changes none of them. */
async function notObeyed(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const configurations = Object.fromEntries(
    ["", "/d"].flatMap((top) =>
      Object.entries(CONFIGURATIONS).map(([name, text]) => [`${top}/${name}`, text]),
    ),
  );
  for (const [path, text] of Object.entries(configurations))
    check.succeeded(await backend.write(path, text), `write of ${path}`, "W1");
  const ways: ReadonlyArray<readonly [string, (path: string, text: string) => Promise<unknown>]> = [
    ["written", (path, text) => backend.write(path, text)],
    ...(profile.transfer
      ? ([
          [
            "uploaded",
            (path: string, text: string) => backend.uploadFiles([[path, encoder.encode(text)]]),
          ],
        ] as const)
      : []),
  ];
  for (const [way, store] of ways) {
    const files = Object.fromEntries(
      Object.entries(CONFIGURED).map(([name, text]) => [`/d/${way}/${name}`, text]),
    );
    for (const [path, text] of Object.entries(files)) await store(path, text);
    await context.holds(files, backend, "W3");
    const hits = (await backend.grep("needle", `/d/${way}`)).matches?.map(({ path }) => path);
    check.equal(hits, sortedPaths(Object.keys(files)), "Where grep finds what was stored", "S1");
  }
  await context.holds(configurations, backend, "W3");
}

/** What storages, editors and tools put behind the name of a file for what they keep beside it. */
const BEHIND = [
  "~ .bak .tmp .temp .lock .part .new .old .orig .rej .swp .1 .0 .2 .v1 .d .gz .b64 .enc .link",
  "- . _ .meta .meta.json .metadata .json .index .idx .info .attrs .xattr .sha256 .md5 .etag .crc",
  ".version .versions .history .log .journal .wal .deleted .tombstone .trash .chunk0 .0.chunk .size .lines",
  ":meta #meta %meta @v1 ;1 !lock $ = + .txt .data .content .bytes .text .blob .dir .file",
].flatMap((endings) => endings.split(" "));
/** What they put before it. */
const BEFORE = ". ._ _ ~ ~$ # .# .~lock. tmp- lock- .meta- .tmp.".split(" ");

/** A7: a change of a file changes none of the files whose names look as if they belonged to it. */
async function besideOthers(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const others = [
    ...BEHIND.map((ending) => `/d/run${ending}`),
    ...BEFORE.map((beginning) => `/d/${beginning}run`),
  ];
  const files: Record<string, string | null> = Object.fromEntries(
    others.map((path) => [path, `own of ${path}\n`]),
  );
  await context.given({ ...(files as Record<string, string>), "/from/run": "moved\n" });
  const stay = async (what: string): Promise<void> => {
    await context.holds(files, backend, "A7");
    const there = Object.keys(files).filter((path) => files[path] !== null);
    for (const [view, found] of [
      ["ls", (await backend.ls("/d")).files],
      ["glob", (await backend.glob("**", "/d")).files],
    ] as const)
      check.equal(
        found?.map(({ path }) => path),
        sortedPaths(there),
        `What ${view} shows after ${what}`,
        "L1",
      );
  };
  const path = "/d/run";
  check.succeeded(await backend.write(path, "one\n"), "write", "W1");
  files[path] = "one\n";
  await stay("a write");
  check.succeeded(await backend.edit(path, "one", "two"), "edit", "E1");
  files[path] = "two\n";
  await stay("an edit");
  if (profile.copy) {
    check.succeeded(await backend.copy("/from/run", path, { overwrite: true }), "copy", "M1");
    files[path] = "moved\n";
    await stay("a copy over it");
  }
  check.equal(
    (await backend.uploadFiles([[path, encoder.encode("three\n")]]))[0]?.error,
    null,
    "The upload over it",
    "T1",
  );
  files[path] = "three\n";
  await stay("an upload over it");
  if (profile.move) {
    check.succeeded(await backend.move("/from/run", path, { overwrite: true }), "move", "M1");
    files[path] = "moved\n";
    await stay("a move over it");
    check.succeeded(await backend.move(path, "/from/run"), "move away", "M1");
    files[path] = null;
    await stay("a move away");
    return;
  }
  if (!profile.delete) return;
  check.succeeded(await backend.delete(path), "delete", "D1");
  files[path] = null;
  await stay("a delete");
}

/** Texts and names that mean something elsewhere. */
export const meaningCases: readonly Case[] = [
  {
    id: "write/texts-with-meaning",
    rules: ["W3", "R1", "R9", "E1", "M1"],
    level: "core",
    needs: [],
    patience: 2,
    why: "A text that some format, protocol or tool takes for an instruction is stored and read as it is.",
    hint: "Store bytes. Whatever frames, escapes or describes them has to come off again exactly as it went on, and nothing else.",
    run: kept,
  },
  {
    id: "write/files-that-tools-obey",
    rules: ["W3", "S1"],
    level: "core",
    needs: [],
    why: "A file in which tools read what to do with others is a file: the others are stored as they are.",
    hint: "A storage that is a repository or a web server has its own attributes and encodings turned off.",
    run: notObeyed,
  },
  {
    id: "path/beside-names-of-tools",
    rules: ["A7", "P3", "L1", "W1", "E1"],
    level: "core",
    needs: ["transfer", "names.caseSensitive"],
    patience: 2,
    why: "Changes of a file leave alone what is named as tools and storages name what they keep beside it.",
    hint: "Keep locks, metadata, parts and old versions where no agent's path leads.",
    run: besideOthers,
  },
];

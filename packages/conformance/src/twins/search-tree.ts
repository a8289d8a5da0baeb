import { treeOf, type Tree } from "../eyes/tree.js";

/** What searches of the twins run on: names and texts chosen to be mistaken for each other. */
export const SEARCH_FILES: Readonly<Record<string, string>> = {
  "/.hidden/.env": "KEY=one\nkey=two\n",
  "/a.md": "# One\n\none two\n\ttwo one \n",
  "/a.TXT": "ONE\nthree\none\n",
  "/a.txt": "one\r\ntwo\r\n\r\none",
  "/B.TS": "  two\n\tone\n  // one\n    two  \n",
  "/b-[x].txt": "[x] one\n",
  "/dir.md/inner.txt": "one\ntwo\nthree\nfour\nfive\nsix\none\ntwo\nthree\none\n",
  "/empty.txt": "",
  "/src/Ab.ts": "\t one\r\n one\t\r\n\r\nONE\ftwo\r\n",
  "/src/a.ts": "const one = 1;\n// TWO\nexport { one };\n",
  "/src/b/c.ts": "// one\none\none\none\nend\n",
  "/src/b/d/.e.ts": "two\n\n\nÉtude é\nstrasse one\n",
  "/src/b/d/e.js": "one.two\nonextwo\n a+b=c\n",
  "/src.ts": "one\ntwo",
  "/marks.txt": "😀\né\none\ttwo\n",
  "/é/ü.txt": "é one\nÉ ONE\n",
};

/** The same as bytes. */
export const SEARCH_TREE: Tree = treeOf(SEARCH_FILES);

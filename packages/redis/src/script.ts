import { createHash } from "node:crypto";

/** A Lua script and the digest by which a server that has seen it knows it. */
export class Script {
  readonly source: string;
  readonly sha: string;

  constructor(source: string) {
    this.source = source;
    this.sha = createHash("sha1").update(source).digest("hex");
  }
}

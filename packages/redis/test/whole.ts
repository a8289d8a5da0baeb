import type { Cluster, Redis } from "ioredis";
import { expect } from "vitest";
import { pathMember } from "./path-member.js";

/** Reads the keys of a namespace themselves: every file has its content, its record and its path in the index, and nothing else is there. */
export async function assertWhole(client: Redis | Cluster, tag: string): Promise<void> {
  const files = await client.hgetallBuffer(`${tag}:files`);
  const members = await client.zrangeBuffer(`${tag}:paths`, "0", "-1");
  const paths: string[] = [];
  for (const [field, value] of Object.entries(files)) {
    const path = field.slice(1);
    if (field.startsWith("c")) {
      expect(Object.keys(files)).toContain(`m${path}`);
      continue;
    }
    paths.push(path);
    const content = files[`c${path}`];
    expect(value.toString().split(" ")[1]).toBe(String(content?.length));
  }
  expect(members).toEqual(paths.toSorted().map(pathMember));
}

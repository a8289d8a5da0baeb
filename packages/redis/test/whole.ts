import type { Cluster, Redis } from "ioredis";
import { expect } from "vitest";

/** Reads the keys of a namespace themselves: every file has its content, its record and its place in the tree, and nothing else is there. */
export async function assertWhole(client: Redis | Cluster, tag: string): Promise<void> {
  const files = await client.hgetallBuffer(`${tag}:files`);
  const members = await client.zrange(`${tag}:tree`, "0", "-1");
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
  const expected = new Set<string>();
  for (const path of paths) {
    const names = path.split("/");
    for (let depth = 1; depth < names.length; depth++) {
      const directory = names.slice(0, depth).join("/") || "/";
      expected.add(`${directory}\0${names[depth]}`);
    }
  }
  expect(new Set(members)).toEqual(expected);
}

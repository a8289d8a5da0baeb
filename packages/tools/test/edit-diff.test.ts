import { expect, it, vi } from "vitest";
import { seeded, session } from "./support.js";

vi.mock("diff", () => ({
  createTwoFilesPatch: () => {
    throw new RangeError("Invalid string length");
  },
}));

it("an edit is done, and the operator is notified, where its diff cannot be made", async () => {
  const backend = await seeded({ "/a": "one\n" });
  const heard: unknown[] = [];
  const { call } = session(backend, { onError: (error, { tool }) => heard.push([error, tool]) });
  await call("read_file", { file_path: "/a" });
  const edits = [{ old_string: "one", new_string: "two" }];
  const answer = await call("multi_edit", { file_path: "/a", edits });
  expect(answer.failed).toBeUndefined();
  expect(answer.structured).not.toHaveProperty("diff");
  expect((await backend.read("/a")).content).toBe("two\n");
  expect(heard).toEqual([[expect.any(RangeError), "multi_edit"]]);
});

import { createDeepAgent } from "@fs/agent";
import { FakeToolCallingModel } from "langchain";

const plan = { name: "write_file", args: { file_path: "/plan.md", content: "1. Read" }, id: "1" };
const model = new FakeToolCallingModel({ toolCalls: [[plan], []] });
const agent = createDeepAgent({ model });
const { files } = await agent.invoke({ messages: [{ role: "user", content: "Plan it." }] });
if (files?.["/plan.md"] === undefined) throw new Error(`files: ${Object.keys(files ?? {}).join()}`);

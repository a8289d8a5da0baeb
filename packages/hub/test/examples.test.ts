import { readmeExamples, runExample } from "@fs/readme-examples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HubServer } from "@fs/test-servers/hub";

let hub: HubServer;
beforeAll(async () => {
  hub = await HubServer.start();
});
afterAll(async () => {
  await hub.stop();
});

test.for(readmeExamples(new URL("../README.md", import.meta.url)))("$title", async (example) => {
  const env = { LANGSMITH_API_KEY: hub.apiKey, LANGSMITH_ENDPOINT: hub.url };
  await runExample(example, { env, resolveFrom: import.meta.dirname });
  expect(hub.textsOf("support-agent")).toEqual({
    "memories/style.md": "Answer in French.\n",
    "memories/names.md": "The user is Ada.\n",
  });
  expect(hub.commitsOf("support-agent")).toHaveLength(3);
});

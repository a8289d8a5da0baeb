import { afterAll, beforeEach } from "vitest";
import { HubServer } from "@fs/test-servers/hub";

/** A Hub for the test file that calls this. Each test starts without faults and with an empty count of requests. */
export async function startHubForFile(): Promise<HubServer> {
  const hub = await HubServer.start();
  afterAll(() => hub.stop());
  beforeEach(() => {
    hub.faults.clear();
    hub.reset();
  });
  return hub;
}

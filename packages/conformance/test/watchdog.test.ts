import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Watchdog, type Alarm } from "../src/cli/watchdog.js";

let watchdog: Watchdog;
let alarms: Alarm[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  alarms = [];
  watchdog = new Watchdog(30_000);
  watchdog.onAlarm = (alarm) => {
    alarms.push(alarm);
    watchdog.stop();
  };
});
afterEach(() => {
  watchdog.stop();
  vi.useRealTimers();
});

/** Lets time pass while the process says that it lives. */
function beatFor(ms: number): void {
  for (let passed = 0; passed < ms; passed += 1000) {
    vi.advanceTimersByTime(1000);
    watchdog.heard({ type: "beat" });
  }
}

test("silence is an alarm that names the cases under way", () => {
  watchdog.heard({ type: "created" });
  watchdog.heard({ type: "begin", id: "a/ended", limitMs: 20_000 });
  watchdog.heard({ type: "begin", id: "a/blocks", limitMs: 20_000 });
  const outcome = { id: "a/ended", rules: [], level: "core", status: "pass" } as const;
  watchdog.heard({
    type: "outcome",
    outcome: { ...outcome, assertions: 1, ms: 1, warnings: [] },
  });
  vi.advanceTimersByTime(29_000);
  expect(alarms).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(alarms).toMatchObject([{ kind: "blocked", ids: ["a/blocks"] }]);
});

test("setting up may be silent for longer", () => {
  vi.advanceTimersByTime(500_000);
  expect(alarms).toEqual([]);
  vi.advanceTimersByTime(200_000);
  expect(alarms).toMatchObject([{ kind: "blocked", ids: [] }]);
});

test("a case that lives on beyond its limit hangs in its harness", () => {
  watchdog.heard({ type: "created" });
  watchdog.heard({ type: "begin", id: "a/hangs", limitMs: 20_000 });
  beatFor(70_000);
  expect(alarms).toEqual([]);
  beatFor(15_000);
  expect(alarms).toMatchObject([{ kind: "hung", ids: ["a/hangs"] }]);
  expect(alarms[0]?.sentence).toContain("'create' or 'dispose'");
});

test("a teardown that does not end is an alarm as well", () => {
  watchdog.heard({ type: "created" });
  beatFor(610_000);
  expect(alarms).toMatchObject([{ kind: "hung", ids: [] }]);
});

test("a machine that slept is no reason: what was said meanwhile is heard first", () => {
  watchdog.heard({ type: "created" });
  vi.advanceTimersByTime(1000);
  // Nothing runs while the clock goes on.
  const late = performance.now() + 3_600_000;
  vi.spyOn(performance, "now").mockReturnValue(late);
  vi.advanceTimersByTime(250);
  expect(alarms).toEqual([]);
});

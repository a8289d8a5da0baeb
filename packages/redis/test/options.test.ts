import { expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";
import { RedisStore } from "@fs/redis/store";

const url = "redis://127.0.0.1:1";

test.each([
  [{}],
  [{ url, client: {} }],
  [{ url: "" }],
  [{ url: "http://127.0.0.1" }],
  [{ client: url }],
  [{ url, namespace: "" }],
  [{ url, namespace: [] }],
  [{ url, keyPrefix: 5 }],
  [{ url, keyPrefix: "{a}" }],
  [{ url, prefix: "x" }],
  [{ url, ttlSeconds: Number.NaN }],
  [{ url, eviction: "ignore" }],
  [{ url, callTimeoutMs: Number.NaN }],
  [{ url, connectTimeoutMs: "5" }],
  [{ url, writeMode: "replace" }],
  [{ url, maxFileBytes: 0 }],
  [{ client: { isCluster: true, nodes: () => [], options: { scaleReads: "slave" } } }],
  [undefined],
  [url],
])("the options %j are a TypeError", (options) => {
  expect(() => Reflect.construct(RedisBackend, [options])).toThrow(TypeError);
});

test.each([[{ url, ttl: { defaultTTL: 5 } }], [{ url, ttl: 5 }], [{ url, names: "x" }], [{}]])(
  "the options %j of a store are a TypeError",
  (options) => {
    expect(() => Reflect.construct(RedisStore, [options])).toThrow(TypeError);
  },
);

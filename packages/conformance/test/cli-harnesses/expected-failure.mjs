import harness from "./expands-dollars.mjs";

export default {
  ...harness,
  expectedFailures: {
    "edit/literal-dollar": { reason: "dollars expand", issue: "#1" },
    "edit/unique": { reason: "passes by now", issue: "#2" },
  },
};

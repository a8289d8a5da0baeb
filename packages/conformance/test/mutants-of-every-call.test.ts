import { everyMutantDies } from "./mutants/every-mutant-dies.js";

// The rules of every call (A). A file of their own, so that two workers share all mutants.
everyMutantDies((rule) => rule.startsWith("A"));

import { MemoryBackend, MemoryVolume, type BackendProtocolV2 } from "@fs/protocol";
import type { DeclaredProfile } from "@fs/conformance";
import { VolumeBackend, type Volume } from "@fs/protocol/author";

/** A backend with one realistic bug, which the suite must find. */
export interface Mutant {
  /** `method/bug`, such as `"edit/dollar-patterns"`. */
  readonly name: string;
  /** The rule of `docs/semantics.md` that it breaks. At least one case that fails must cite it. */
  readonly rule: string;
  /** The bug in one sentence. */
  readonly bug: string;
  /** The case that must notice it, if not any that cites the rule. */
  readonly by?: string;
  /** What its author claims beyond the default. */
  readonly profile?: DeclaredProfile;
  /** A fresh, empty one. */
  create(): BackendProtocolV2;
  /** Two clients of the same files, for a bug that only the second one shows. */
  pair?(): readonly [BackendProtocolV2, BackendProtocolV2];
  /** A backend and what it is after a restart, for a bug that only shows then. */
  restarted?(): Restarted;
}

/** A backend, and what makes another one of its files in a process that has only begun. */
export interface Restarted {
  readonly first: BackendProtocolV2;
  readonly again: () => Promise<BackendProtocolV2>;
}

/** Methods that replace a correct backend's, made from it. */
export type Overrides = (inner: MemoryBackend) => Partial<BackendProtocolV2>;

/** A mutant of the memory backend in which some methods are wrong. */
export function mutant(name: string, rule: string, bug: string, overrides: Overrides): Mutant {
  return {
    name,
    rule,
    bug,
    create: () => {
      const inner = new MemoryBackend();
      return overlay(inner, overrides(inner));
    },
  };
}

/** Two clients of one storage, each with what it remembers, and with what both share. */
export function shared<S>(
  name: string,
  rule: string,
  bug: string,
  state: () => S,
  overrides: (inner: VolumeBackend, state: S, client: object) => Partial<BackendProtocolV2>,
): Mutant {
  const pair = (): readonly [BackendProtocolV2, BackendProtocolV2] => {
    const volume = new MemoryVolume();
    const both = state();
    const client = (): BackendProtocolV2 => {
      const inner = new VolumeBackend(volume);
      return overlay(inner, overrides(inner, both, {}));
    };
    return [client(), client()];
  };
  return { name: `peer/${name}`, rule, bug, create: () => pair()[0], pair };
}

/** A mutant whose storage is wrong, below a correct backend. */
export function faultyVolume(
  name: string,
  rule: string,
  bug: string,
  create: () => Volume,
): Mutant {
  return { name, rule, bug, create: () => new VolumeBackend(create()) };
}

/** A backend or a volume some of whose properties are replaced; the others keep their own `this`. */
export function overlay<T extends object>(inner: T, replaced: object): T {
  return new Proxy(inner, {
    get(target, name) {
      if (name in replaced) return Reflect.get(replaced, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

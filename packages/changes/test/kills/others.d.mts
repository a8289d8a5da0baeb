import type { Filesystem } from "@fs/protocol";

export function foreignText(path: string): string;
export function changeAsSomebodyElse(base: Filesystem, path: string): Promise<void>;
export function unconditional(base: Filesystem): Filesystem;

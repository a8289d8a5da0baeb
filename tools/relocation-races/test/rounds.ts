/** Rounds for each pair of storages: `FS_RELOCATION_ROUNDS`, or few enough for every test run. */
export const ROUNDS = Number(process.env["FS_RELOCATION_ROUNDS"] ?? 16);

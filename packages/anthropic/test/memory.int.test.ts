import { PostgresBackend } from "@fs/postgres";
import { overPostgres } from "@fs/test-servers/storages";
import { answersAsTheirs } from "./memories.js";
import { runsOver } from "./runner.js";

overPostgres("the memory", PostgresBackend, (storage) => {
  answersAsTheirs(storage);
  runsOver(storage);
});

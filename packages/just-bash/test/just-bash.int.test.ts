import { PostgresBackend } from "@fs/postgres";
import { overPostgres } from "@fs/test-servers/storages";
import { answersAsTheirs } from "./shells.js";

overPostgres("a shell", PostgresBackend, answersAsTheirs);

import { PostgresBackend } from "@fs/postgres";
import { overPostgres } from "@fs/test-servers/storages";
import { worksOver } from "./agents.js";

overPostgres("an agent", PostgresBackend, worksOver);

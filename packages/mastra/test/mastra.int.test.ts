import { PostgresBackend } from "@fs/postgres";
import { overPostgres } from "@fs/test-servers/storages";
import { answersAsTheirs } from "./workspaces.js";

overPostgres("a workspace", PostgresBackend, answersAsTheirs);

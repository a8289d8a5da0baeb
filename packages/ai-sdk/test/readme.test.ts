import { testReadme } from "@fs/readme-examples/vitest";

testReadme(import.meta.url);

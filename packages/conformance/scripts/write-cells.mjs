// Writes docs/conformance-cells.md from the tables of the built suite.
import { writeFileSync } from "node:fs";
import { cellsPage } from "../dist/matrix/page.js";

writeFileSync(new URL("../../../docs/conformance-cells.md", import.meta.url), cellsPage());

// `npm run docs:a2a`: writes the table of requirements into docs/a2a.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { withA2aRequirements } from "./a2a-requirements-table.ts";

const PAGE = fileURLToPath(new URL("../docs/a2a.md", import.meta.url));

writeFileSync(PAGE, withA2aRequirements(readFileSync(PAGE, "utf8")));

// `npm run docs:limits`: writes the table of limits into docs/security/bounds.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { withBounds } from "./limits-table.ts";

const PAGE = fileURLToPath(new URL("../docs/security/bounds.md", import.meta.url));

writeFileSync(PAGE, withBounds(readFileSync(PAGE, "utf8")));

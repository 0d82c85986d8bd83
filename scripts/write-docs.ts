// `npm run docs:pages`: writes the module with the documentation's pages.
import { writeFileSync } from "node:fs";

import { renderSite, SITE_MODULE } from "./docs-site.ts";

writeFileSync(SITE_MODULE, renderSite());

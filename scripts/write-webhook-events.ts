// `npm run docs:webhooks`: writes the table of events into docs/webhooks.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { withWebhookEvents } from "./webhook-events-table.ts";

const PAGE = fileURLToPath(new URL("../docs/webhooks.md", import.meta.url));

writeFileSync(PAGE, withWebhookEvents(readFileSync(PAGE, "utf8")));

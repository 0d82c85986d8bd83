// The refund desk, as requests and answers. Each example fits the schema that it stands for.
import type { Example } from "./document-types.ts";
import { WEBHOOK_EXAMPLES } from "./examples-webhooks.ts";
import { INBOUND_EXAMPLES } from "./examples-inbound.ts";
import { PEOPLE_EXAMPLES } from "./examples-people.ts";

export const EXAMPLES = {
  ...PEOPLE_EXAMPLES,
  ...INBOUND_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
} as const satisfies Readonly<Record<string, Example>>;

// The refund desk, as requests and answers. Each example fits the schema that it stands for.
import type { Example } from "./document-types.ts";
import { WEBHOOK_EXAMPLES } from "./examples-webhooks.ts";

export const EXAMPLES = {
  ...WEBHOOK_EXAMPLES,
} as const satisfies Readonly<Record<string, Example>>;

// What the document says about schemas and their fields. `describe-fields.ts` finds them.
import {
  WEBHOOK_FIELD_DESCRIPTIONS,
  WEBHOOK_SCHEMA_DESCRIPTIONS,
} from "./descriptions-webhooks.ts";

export const SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...WEBHOOK_SCHEMA_DESCRIPTIONS,
};

export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...WEBHOOK_FIELD_DESCRIPTIONS,
};

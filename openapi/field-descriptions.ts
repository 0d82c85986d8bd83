// What the document says about schemas and their fields. `describe-fields.ts` finds them.
import {
  WEBHOOK_FIELD_DESCRIPTIONS,
  WEBHOOK_SCHEMA_DESCRIPTIONS,
} from "./descriptions-webhooks.ts";
import { INBOUND_FIELD_DESCRIPTIONS, INBOUND_SCHEMA_DESCRIPTIONS } from "./descriptions-inbound.ts";
import { PEOPLE_FIELD_DESCRIPTIONS, PEOPLE_SCHEMA_DESCRIPTIONS } from "./descriptions-people.ts";

export const SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...WEBHOOK_SCHEMA_DESCRIPTIONS,
  ...PEOPLE_SCHEMA_DESCRIPTIONS,
  ...INBOUND_SCHEMA_DESCRIPTIONS,
  PermissionMode: "What happens to a call that no rule decides.",
  PermissionRule: "Which calls may run, may not, or have to be asked for.",
};

export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...WEBHOOK_FIELD_DESCRIPTIONS,
  ...PEOPLE_FIELD_DESCRIPTIONS,
  ...INBOUND_FIELD_DESCRIPTIONS,
  rules: "Rules, each for one tool.",
  suggested_rules: "Rules that an answer may switch on.",
  "PermissionRule.behavior": "What the rule says.",
  "PermissionRule.rule_content": "Which calls of the tool; null or empty means all.",
  "PermissionRule.tool_name": "The tool that the rule is about.",
};

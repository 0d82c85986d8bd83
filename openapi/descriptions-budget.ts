// What the document says about how much a reply and a tenant may use up, and how long a model may be silent.
import { QUOTA_FIELD_DESCRIPTIONS } from "./descriptions-quotas.ts";

export const BUDGET_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...QUOTA_FIELD_DESCRIPTIONS,
};

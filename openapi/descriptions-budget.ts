// What the document says about how much a reply and a tenant may use up, and how long a model may be silent.
import { QUOTA_FIELD_DESCRIPTIONS } from "./descriptions-quotas.ts";

export const BUDGET_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...QUOTA_FIELD_DESCRIPTIONS,
  "Agent.budget":
    "What one reply may use up before it is ended with an error. The platform's own limits hold when it is left out.",
  "Agent.budget.max_seconds":
    "Seconds that a reply may run, across restarts; waiting for people and systems outside does not count. 7,200 when left out.",
  "Agent.budget.max_tokens":
    "Input and output tokens of a reply's model calls together. Looked at before each call, so the last one may go beyond.",
  "OpenAiModel.stall_ms":
    "Milliseconds without a byte after which a call is given up and made again. When left out, 300,000 before the first byte and 120,000 after it. A stream that brings comments or empty events alone is given up after ten times as long, 600,000 at most.",
};

// Usage: sums of replies and tokens.
import { UsagePageSchema } from "../../protocol/api/answers/responses.ts";
import { UsageQuerySchema, UsageRowSchema } from "../../protocol/api/tenants/usage.ts";
import type { Resource } from "../resource.ts";

export const USAGE = {
  operations: {
    readUsage: {
      tag: "Usage",
      summary: "Get the usage of replies",
      description: "Replies and tokens, summed by day, agent, model, or several of them.",
      query: UsageQuerySchema,
      answers: { 200: { description: "A page of sums.", json: "UsagePage" } },
    },
  },
  queryParameters: {
    from: "The first day, itself included.",
    to: "The last day, itself included; today when left out.",
    group_by: "`day`, `agent`, `model`, or several of them with commas between.",
  },
  answerSchemas: {
    UsageRow: UsageRowSchema,
    UsagePage: UsagePageSchema,
  },
  schemaDescriptions: {
    UsageRow:
      "Sums over replies. A reply counts on the day on which it last ended or began to wait.",
  },
  fieldDescriptions: {
    "UsageRow.agent_id": "The agent, or null when the sums are not taken by agent.",
    "UsageRow.day": "The day in UTC, or null when the sums are not taken by day.",
    "UsageRow.model_name": "The model, or null when the sums are not taken by model.",
    "UsageRow.cost_usd":
      "What the replies cost by the vendors' list prices, in US dollars, rounded to a billionth; null when the cost of one of them is not known.",
    "UsageRow.replies": "Replies that called a model.",
  },
} as const satisfies Resource;

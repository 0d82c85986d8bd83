// Usage: sums of replies and tokens.
import { UsagePageSchema, UsageQuerySchema } from "../../protocol/usage/contract.ts";
import type { Resource } from "../resource.ts";

export const USAGE = {
  operations: {
    readUsage: {
      tag: "Usage",
      summary: "Get the usage of replies",
      description: [
        "Replies and tokens, summed by day, agent, model, end user, or several of them. What belongs to no end user (in",
        "sessions without one, in deleted sessions, and in replies from before end users were counted) is summed with",
        "`end_user_id: null`, so the sums of a report are the same whatever they are grouped by. With `Accept: text/csv`",
        "or `?format=csv` the answer has all sums of the report as CSV (RFC 4180).",
      ].join(" "),
      query: UsageQuerySchema,
      queryDescriptions: {
        format: "`csv` gives all sums as CSV, `json` a page, whatever `Accept` says.",
        agent_id: "Only what this agent used.",
        end_user_id: "Only what this end user's sessions used, without those that were deleted.",
      },
      answers: {
        200: {
          description: "A page of sums, or all of them as CSV.",
          json: UsagePageSchema,
          other: "text/csv",
        },
      },
    },
  },
  queryParameters: {
    from: "The first day, itself included.",
    to: "The last day, itself included; today when left out.",
    group_by: "`day`, `agent`, `model`, `end_user`, or several of them with commas between.",
    model_name: "Only what this model used.",
  },

  fieldDescriptions: {
    "UsageRow.agent_id": "The agent, or null when the sums are not taken by agent.",
    "UsageRow.day": "The day in UTC, or null when the sums are not taken by day.",
    "UsageRow.end_user_id":
      "The end user, or null when the sums are not taken by end user, and for what belongs to none.",
    "UsageRow.model_name": "The model, or null when the sums are not taken by model.",
    "UsageRow.cost_usd":
      "What the replies cost by the vendors' list prices, in US dollars, rounded to a billionth; null when the cost of one of them is not known.",
    "UsageRow.replies": "Replies that called a model.",
  },
} as const satisfies Resource;

// Routes on usage.
import { UsagePageSchema, UsageQuerySchema } from "./contract.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { USAGE_WORDS } from "./words.ts";

const USAGE_ROUTES = [
  {
    name: "readUsage",
    method: "GET",
    path: "/v1/usage",
    access: "usage:read",
    body: "none",
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
] as const satisfies readonly DocumentedRoute[];

export const USAGE_CONTRACT = {
  routes: USAGE_ROUTES,
  queryParameters: {
    from: "The first day, itself included.",
    to: "The last day, itself included; today when left out.",
    group_by: "`day`, `agent`, `model`, `end_user`, or several of them with commas between.",
    model_name: "Only what this model used.",
  },
  fields: USAGE_WORDS,
} as const satisfies Contract;

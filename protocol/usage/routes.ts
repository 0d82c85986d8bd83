// Routes on usage.
import { UsagePageSchema, UsageQuerySchema } from "./contract.ts";
import { UsageSeriesQuerySchema, UsageSeriesSchema } from "./series.ts";
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

  {
    name: "readUsageSeries",
    method: "GET",
    path: "/v1/usage/series",
    access: "usage:read",
    operator_right: "tenants:read",
    body: "none",
    tag: "Usage",
    summary: "Get series of replies over time",
    description: [
      "Replies by the hour or day in which they ended: how they ended, the types of their errors, how soon their first",
      "model call had an output and how long their calls waited, as histograms, and their tokens and costs. Newest first,",
      "without hours or days in which no reply ended. Kept for 90 days; by the hour, 7 days at most are asked for. With",
      "them `waiting` has the calls that wait now, by their age.",
    ].join(" "),
    query: UsageSeriesQuerySchema,
    queryDescriptions: { agent_id: "Only replies of this agent." },
    answers: { 200: { description: "The series.", json: UsageSeriesSchema } },
    errors: ["not_found"],
  },
] as const satisfies readonly DocumentedRoute[];

export const USAGE_CONTRACT = {
  routes: USAGE_ROUTES,
  queryParameters: {
    from: "The first day, itself included.",
    to: "The last day, itself included; today when left out.",
    group_by: "`day`, `agent`, `model`, `end_user`, or several of them with commas between.",
    model_name: "Only what this model used.",
    interval: "The time of one point.",
    series_by: "`agent`, `model`, or both with a comma between; all in one series when left out.",
  },
  fields: USAGE_WORDS,
} as const satisfies Contract;

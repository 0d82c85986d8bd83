// Routes on quotas.
import { LimitsQuerySchema, TenantLimitsSchema } from "./contract.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { QUOTA_WORDS } from "./words.ts";

const QUOTA_ROUTES = [
  {
    name: "readLimits",
    method: "GET",
    path: "/v1/limits",
    access: "usage:read",
    operator_right: "tenants:read",
    body: "none",
    tag: "Usage",
    summary: "Get the quotas and their use",
    description:
      "The tenant's quotas, which the operator sets, and how much of each is used. Requests beyond a quota are answered with 429 `quota_exceeded`, whose `quota` names it. With `end_user_id` also what this end user may have and has.",
    query: LimitsQuerySchema,
    queryDescriptions: {
      end_user_id: "The end user whose share is shown in `end_user`.",
    },
    answers: { 200: { description: "Quotas and use.", json: TenantLimitsSchema } },
  },
] as const satisfies readonly DocumentedRoute[];

export const QUOTA_CONTRACT = {
  tags: {
    Usage: "What replies have used.",
  },
  routes: QUOTA_ROUTES,
  fields: QUOTA_WORDS,
} as const satisfies Contract;

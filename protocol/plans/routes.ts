// Routes on the plan of a session.
import { PlanWriteSchema, SessionPlanSchema } from "./contract.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { PLAN_WORDS } from "./words.ts";

const EXAMPLE = {
  name: "Research on agents",
  description: "What an agent is, and where the field goes.",
  expected_outcome: "A report in Markdown.",
  subtasks: [
    {
      name: "Find surveys",
      description: "Published after 2021, with more than 50 citations.",
      expected_outcome: "A list of papers.",
    },
    {
      name: "Write the report",
      description: "From what was read.",
      expected_outcome: "The report.",
      acceptance: { kind: "person", criteria: "It answers all three questions." },
    },
  ],
};

const PLAN_ROUTES = [
  {
    name: "readPlan",
    method: "GET",
    path: "/v1/sessions/{session_id}/plan",
    access: "sessions:read",
    verb: "read",
    body: "none",
    tag: "Sessions",
    summary: "Get the plan",
    description:
      "The current plan and the earlier ones, with the version, also as `ETag`, and the stream position: events named `state_updated` after `cursor` have the later changes.",
    answers: {
      200: { description: "The plan.", json: SessionPlanSchema, headers: ["ETag"] },
    },
  },

  {
    name: "writePlan",
    method: "PUT",
    path: "/v1/sessions/{session_id}/plan",
    access: "replies:write",
    verb: "reply",
    body: "json",
    tag: "Sessions",
    summary: "Write the plan",
    description: [
      "Gives the session a plan, changes the current one (with its `id`), makes an earlier one the current one again (with",
      "its `id`), or takes it away (`null`), at any time; the model sees it before its next call. Another plan goes to",
      "the history. The change is in the log as `CUSTOM state_updated`. With `If-Match` it is made only at that",
      "version. What `GET` answers can be changed and sent back; what changes nothing creates no version. Needs the",
      "right to read too: the scope `sessions:read`, or the verb `read`. To finish a step that a person has to accept, or to take that acceptance away, the",
      "right to confirm is needed: the scope `confirmations:write`, or the verb `confirm`.",
    ].join(" "),
    headers: ["If-Match"],
    request: { json: PlanWriteSchema, examples: ["researchPlan"] },
    answers: {
      200: { description: "The plan after it.", json: SessionPlanSchema, headers: ["ETag"] },
    },
    errors: ["version_mismatch", "conflict", "insufficient_scope"],
  },
] as const satisfies readonly DocumentedRoute[];

export const PLAN_CONTRACT = {
  routes: PLAN_ROUTES,
  fields: PLAN_WORDS,
  examples: {
    researchPlan: { summary: "A plan that is given up front", value: { plan: EXAMPLE } },
  },
} as const satisfies Contract;

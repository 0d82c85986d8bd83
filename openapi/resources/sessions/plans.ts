// The plan of a session.
import { PlanWriteSchema, SessionPlanSchema } from "../../../protocol/plans/contract.ts";
import type { Resource } from "../../resource.ts";

const SUBTASK = {
  name: "One line.",
  description: "What has to be done.",
  expected_outcome: "What there is once it is done.",
  state: "How far it is.",
  outcome: "What came of it; null until it is done.",
  acceptance: "Who says that it is done, and by what; null when the one who finishes it does.",
  owner: "Who works on it; null for no one in particular.",
  blocks: "Ids of subtasks that wait for this one. They bind nothing.",
  blocked_by: "Ids of subtasks that this one waits for. They bind nothing.",
  metadata: "Anything else that is kept with it.",
  created_at: "When it was made.",
  finished_at: "When it was done or abandoned; null before.",
};

const PLAN = {
  name: "One line.",
  description: "What the plan is for.",
  expected_outcome: "What there is once all of it is done.",
  created_at: "When it was made.",
  finished_at: "When it ended; null while it is open.",
  outcome: "What came of it; null while it is open.",
  last_subtask: "The greatest number that a subtask has had as its id: ids are not given again.",
};

const SENT_BACK = "May be sent back as it was read; the platform sets it.";

function described(schema: string, members: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(members).map(([member, text]) => [`${schema}.${member}`, text]),
  );
}

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

export const PLANS = {
  operations: {
    readPlan: {
      tag: "Sessions",
      summary: "Get the plan",
      description:
        "The current plan and the earlier ones, with the version, also as `ETag`, and the stream position: events named `state_updated` after `cursor` have the later changes.",
      answers: {
        200: { description: "The plan.", json: SessionPlanSchema, headers: ["ETag"] },
      },
    },
    writePlan: {
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
  },

  fieldDescriptions: {
    "SessionPlan.plan": "The current plan; null for none.",
    "SessionPlan.version": "The number of changes so far.",
    "SessionPlan.cursor": "Its stream position: later events change it.",
    "SessionPlan.is_suspended":
      "The last reply that was worked in was interrupted, and nothing has changed the plan since.",
    "SessionPlan.history": "Earlier plans, oldest first; the newest 20.",
    ...described("Plan", PLAN),
    "Plan.id":
      "Unique in the session. Written, it names the current plan, which is changed, or an earlier one, which is recovered; a new plan is made without it.",
    "Plan.state": "Of an open plan `todo` or `in_progress`, as its subtasks are.",
    "Plan.subtasks": "In their order.",
    ...described("Subtask", SUBTASK),
    "Subtask.id": "Unique in the plan. A new one gets an id when it is left out.",
    "SubtaskAcceptance.kind":
      "`model`: the model compares the outcome with the criteria before it is done. `person`: a person confirms the call that finishes it.",
    "SubtaskAcceptance.criteria": "What has to be the case.",
    "SubtaskAcceptance.state":
      "`reviewing`: the model was asked to compare, and has not answered yet.",
    "PlanWrite.plan": "Null takes the current plan away: it goes to the history as abandoned.",
    "PlanWrite.version": SENT_BACK,
    "PlanWrite.cursor": SENT_BACK,
    "PlanWrite.is_suspended": SENT_BACK,
    "PlanWrite.history": SENT_BACK,
  },
  examples: {
    researchPlan: { summary: "A plan that is given up front", value: { plan: EXAMPLE } },
  },
} as const satisfies Resource;

// The declarations of a plan's tools, as AgentScope has them, but for what a model must not set itself.
import {
  MAX_PLAN_NAME_CHARACTERS,
  MAX_LISTED_SUBTASKS,
  MAX_PLAN_TEXT_CHARACTERS,
} from "../../protocol/plans/limits.ts";
import type { NOTEBOOK_TOOLS, PlanTools, TASK_TOOLS } from "../../protocol/plans/events.ts";
import type { ToolDeclaration } from "../ports.ts";

type Schema = Readonly<Record<string, unknown>>;
type Name = (typeof NOTEBOOK_TOOLS)[number] | (typeof TASK_TOOLS)[number];

const NAME = {
  type: "string",
  minLength: 1,
  maxLength: MAX_PLAN_NAME_CHARACTERS,
  pattern: "^[^\\r\\n]*$",
};
const TEXT = { type: "string", maxLength: MAX_PLAN_TEXT_CHARACTERS };
const INDEX = {
  type: "integer",
  minimum: 0,
  description: "The subtask's place in the plan, from 0.",
};
const OUTCOME = { ...TEXT, description: "What came of it, in concrete terms." };

const ACCEPTANCE = {
  type: ["object", "null"],
  description:
    "Who says that the subtask is done, and by which criteria: you yourself (`model`) or a person, who is asked.",
  properties: {
    kind: { enum: ["model", "person"] },
    criteria: { ...TEXT, minLength: 1 },
  },
  required: ["kind", "criteria"],
};

/** Members that a model sets beside these, such as a state, are accepted and not used. */
const SUBTASK = {
  type: "object",
  properties: {
    name: { ...NAME, description: "At most ten words." },
    description: { ...TEXT, description: "What has to be done, and within which limits." },
    expected_outcome: { ...TEXT, description: "What there is once it is done." },
    acceptance: ACCEPTANCE,
  },
  required: ["name", "description", "expected_outcome"],
};

function declare(
  name: Name,
  description: string,
  properties: Schema = {},
  optional: readonly string[] = [],
): ToolDeclaration {
  const required = Object.keys(properties).filter((member) => !optional.includes(member));
  return {
    name,
    description,
    input_schema: { type: "object", properties, required },
    // Changes nothing outside of the session: no confirmation is needed.
    read_only: true,
    // The calls of a turn act one after the other.
    concurrency_safe: false,
    idempotent: true,
  };
}

const NOTEBOOK: readonly ToolDeclaration[] = [
  declare("view_subtasks", "Shows all that is known of subtasks of the plan.", {
    subtask_idx: { type: "array", items: INDEX, maxItems: MAX_LISTED_SUBTASKS },
  }),
  declare(
    "update_subtask_state",
    "Sets the state of a subtask. One is in progress at a time, and all before it have to be done or abandoned.",
    { subtask_idx: INDEX, state: { enum: ["todo", "in_progress", "abandoned"] } },
  ),
  {
    ...declare("finish_subtask", "Says that a subtask is done. The next one is in progress then.", {
      subtask_idx: INDEX,
      subtask_outcome: OUTCOME,
    }),
    editable: ["/subtask_outcome"],
  },
  declare(
    "create_plan",
    "Creates a plan of subtasks for a task that takes many steps. An open plan is abandoned.",
    {
      name: { ...NAME, description: "At most ten words." },
      description: { ...TEXT, description: "What the plan is for, and within which limits." },
      expected_outcome: { ...TEXT, description: "What there is once all of it is done." },
      subtasks: { type: "array", items: SUBTASK, minItems: 1, maxItems: MAX_LISTED_SUBTASKS },
    },
  ),
  declare(
    "revise_current_plan",
    "Adds a subtask in front of the one at subtask_idx, or behind all of them, revises one, or deletes one.",
    {
      subtask_idx: INDEX,
      action: { enum: ["add", "revise", "delete"] },
      subtask: { ...SUBTASK, type: ["object", "null"], description: "For add and revise." },
    },
    ["subtask"],
  ),
  declare(
    "finish_plan",
    "Ends the plan: done, or abandoned because the user does not want it any more.",
    {
      state: { enum: ["done", "abandoned"] },
      outcome: OUTCOME,
    },
  ),
  declare("view_historical_plans", "Lists the earlier plans."),
  declare(
    "recover_historical_plan",
    "Makes an earlier plan the current one again. An open plan is abandoned.",
    {
      plan_id: { type: "string" },
    },
  ),
];

const METADATA = { type: ["object", "null"], description: "Anything else that is to be kept." };
const NAMES = { type: ["array", "null"], items: { type: "string" }, maxItems: MAX_LISTED_SUBTASKS };
const TASK_ID = { type: "string", description: "The task's id, as TaskList has it." };
const OPTIONAL_TEXT = { ...TEXT, type: ["string", "null"] };
const OPTIONAL_NAME = { ...NAME, type: ["string", "null"] };

const TASKS: readonly ToolDeclaration[] = [
  declare(
    "TaskCreate",
    "Adds a task to the list of what has to be done.",
    { subject: NAME, description: TEXT, metadata: METADATA },
    ["metadata"],
  ),
  declare("TaskGet", "Shows all that is known of a task.", { task_id: TASK_ID }),
  declare("TaskList", "Lists the tasks with their states."),
  {
    ...declare(
      "TaskUpdate",
      "Changes a task. What is left out stays; the status `deleted` takes the task away.",
      {
        task_id: TASK_ID,
        subject: OPTIONAL_NAME,
        description: OPTIONAL_TEXT,
        owner: OPTIONAL_NAME,
        status: { enum: ["pending", "in_progress", "completed", "deleted", null] },
        add_blocks: { ...NAMES, description: "Ids of tasks that wait for this one." },
        add_blocked_by: { ...NAMES, description: "Ids of tasks that this one waits for." },
        metadata: { ...METADATA, description: "Keys to set; null takes one away." },
      },
      ["subject", "description", "owner", "status", "add_blocks", "add_blocked_by", "metadata"],
    ),
    editable: ["/description", "/metadata"],
  },
];

export function declaredPlanTools(tools: PlanTools): readonly ToolDeclaration[] {
  return tools === "tasks" ? TASKS : NOTEBOOK;
}

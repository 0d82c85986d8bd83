// Plans: an agent's settings for them, the plan of a session, and how people give and change one.
import * as z from "zod";

import {
  MAX_LISTED_SUBTASKS,
  MAX_PLAN_BYTES,
  MAX_PLAN_HINT_CHARACTERS,
  MAX_PLAN_SUBTASKS,
} from "./limits.ts";
import { planToolNames } from "./events.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { readTemplate } from "../words/read-template.ts";
import { didYouMean } from "../words/suggest-name.ts";
import {
  ACCEPTANCE,
  PlanIdSchema,
  PlanIdsSchema,
  PlanMetadataSchema,
  PlanNameSchema,
  PlanSchema,
  PlanStepStateSchema,
  PlanTextSchema,
} from "./plan.ts";

/** Placeholders in a text of a hint; see docs/plans.md. */
const HINT_PLACEHOLDERS = ["plan", "subtask", "subtask_idx", "subtask_name", "index"];

const HintTextSchema = z
  .string()
  .min(1)
  .max(MAX_PLAN_HINT_CHARACTERS)
  .superRefine((hint, context) => {
    const template = readTemplate(hint);
    const message = template.ok
      ? template.parts.map(findUnknownPlaceholder).find((problem) => problem !== null)
      : template.problem;
    if (message) context.addIssue({ code: "custom", message });
  });

function findUnknownPlaceholder(part: string | readonly string[]): string | null {
  if (typeof part === "string") return null;
  const given = part.join("/");
  if (HINT_PLACEHOLDERS.includes(given)) return null;
  return `names {${given}}, which a plan does not have${didYouMean(given, HINT_PLACEHOLDERS)}`;
}

/** Null for no hint in that case; the platform's own text when left out. */
const HintCaseSchema = HintTextSchema.nullable().optional();

/** @public */
export const PlanHintsSchema = z.strictObject({
  no_plan: HintCaseSchema,
  at_the_beginning: HintCaseSchema,
  when_a_subtask_in_progress: HintCaseSchema,
  when_no_subtask_in_progress: HintCaseSchema,
  at_the_end: HintCaseSchema,
});
export type PlanHints = z.infer<typeof PlanHintsSchema>;

/** An agent's `plan`. */
export const PlanSettingsSchema = z.strictObject({
  /** The tools that the model has: those of AgentScope 1's notebook, or of AgentScope 2's tasks. */
  tools: z.enum(["notebook", "tasks"]).default("notebook"),
  /** Subtasks that a plan may have; null for as many as fit into its bytes. */
  max_subtasks: z
    .number()
    .int()
    .min(1)
    .max(MAX_PLAN_SUBTASKS)
    .nullable()
    .default(MAX_PLAN_SUBTASKS),
  /** The text for the model before each call: one for every case, or one for each. */
  hint_template: z.union([HintTextSchema, PlanHintsSchema]).optional(),
});
export type PlanSettings = z.infer<typeof PlanSettingsSchema>;

/** JSON pointer and text for each tool of an agent that has the name of one of its plan's. */
export function planToolProblems({
  tools,
  plan,
}: {
  readonly tools: readonly { readonly type: string; readonly name?: string }[];
  readonly plan?: PlanSettings | null | undefined;
}): readonly { readonly pointer: string; readonly detail: string }[] {
  if (!plan) return [];
  const taken = planToolNames(plan);
  return tools.flatMap(({ name }, index) =>
    name !== undefined && taken.includes(name)
      ? [{ pointer: `#/tools/${index}/name`, detail: `${name} is a tool of the agent's plan` }]
      : [],
  );
}

/** `state` may be sent back as it was read; the platform sets it. @public */
export const SubtaskAcceptanceInputSchema = z
  .strictObject({
    ...ACCEPTANCE,
    state: z.unknown().optional(),
  })
  .meta({
    id: "SubtaskAcceptanceInput",
    description: "Who says that a subtask is done, and by what.",
  });

/** Members that the platform sets: they may be sent back as they were read. */
const ignored = z.unknown().optional();

/** @public */
export const SubtaskInputSchema = z
  .strictObject({
    /** Of a subtask that the plan has; a new one is made without it. */
    id: PlanIdSchema.optional(),
    name: PlanNameSchema,
    description: PlanTextSchema.default(""),
    expected_outcome: PlanTextSchema.default(""),
    state: PlanStepStateSchema.default("todo"),
    outcome: PlanTextSchema.nullable().default(null),
    acceptance: SubtaskAcceptanceInputSchema.nullable().default(null),
    owner: PlanNameSchema.nullable().default(null),
    blocks: PlanIdsSchema.default([]),
    blocked_by: PlanIdsSchema.default([]),
    metadata: PlanMetadataSchema.default({}),
    created_at: ignored,
    finished_at: ignored,
  })
  .meta({ id: "SubtaskInput", description: "A step of a plan as people write it." });
export type SubtaskInput = z.infer<typeof SubtaskInputSchema>;

/** @public */
export const PlanInputSchema = z
  .strictObject({
    /** Of the current plan, which is changed, or of an earlier one, which is recovered; a new one is made without it. */
    id: PlanIdSchema.optional(),
    name: PlanNameSchema,
    description: PlanTextSchema.default(""),
    expected_outcome: PlanTextSchema.default(""),
    subtasks: z.array(SubtaskInputSchema).max(MAX_LISTED_SUBTASKS),
    state: ignored,
    created_at: ignored,
    finished_at: ignored,
    outcome: ignored,
    last_subtask: ignored,
  })
  .meta({ id: "PlanInput", description: "A plan as people write it." });
export type PlanInput = z.infer<typeof PlanInputSchema>;

export const PlanWriteSchema = z
  .strictObject({
    /** Null for none: an open plan goes to the history as abandoned. */
    plan: PlanInputSchema.nullable(),
    version: ignored,
    cursor: ignored,
    is_suspended: ignored,
    history: ignored,
  })
  .refine(({ plan }) => utf8Bytes(JSON.stringify(plan)) <= MAX_PLAN_BYTES, {
    path: ["plan"],
    message: `a plan may take ${MAX_PLAN_BYTES} bytes as JSON at most`,
  })
  .meta({ id: "PlanWrite", description: "A plan, or none." });

export const SessionPlanSchema = z
  .object({
    plan: PlanSchema.nullable(),
    /** The number of changes so far. */
    version: z.number().int().nonnegative(),
    /** The stream position of this state; later events may change it. */
    cursor: z.number().int().nonnegative(),
    /** The reply in which the plan was worked on was interrupted, and nothing has changed the plan since. */
    is_suspended: z.boolean(),
    /** Earlier plans, oldest first. */
    history: z.array(PlanSchema),
  })
  .meta({ id: "SessionPlan", description: "The plans of a session." });
export type SessionPlan = z.infer<typeof SessionPlanSchema>;

/** The state of the plans in an exported session, as far as it is looked at. */
export const ExportedPlansSchema = z.object({
  version: z.number().int().positive(),
  current: PlanSchema.nullable(),
  history: z.array(PlanSchema),
  is_suspended: z.boolean(),
});

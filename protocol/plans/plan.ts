// A plan and its subtasks, as the log, answers and exports have them.
import * as z from "zod";

import type { Frozen } from "../messages/frozen.ts";
import { TimestampSchema } from "../schemas/common.ts";
import {
  MAX_PLAN_ID_CHARACTERS,
  MAX_PLAN_NAME_CHARACTERS,
  MAX_LISTED_SUBTASKS,
  MAX_PLAN_TEXT_CHARACTERS,
} from "./limits.ts";

export const PlanNameSchema = z
  .string()
  .min(1)
  .max(MAX_PLAN_NAME_CHARACTERS)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, { message: "is one line without control characters" });
export const PlanTextSchema = z.string().max(MAX_PLAN_TEXT_CHARACTERS);
export const PlanIdSchema = z.string().min(1).max(MAX_PLAN_ID_CHARACTERS);
export const PlanIdsSchema = z.array(PlanIdSchema).max(MAX_LISTED_SUBTASKS);

/** Of plans and of subtasks. */
export const PlanStepStateSchema = z.enum(["todo", "in_progress", "done", "abandoned"]);
export type PlanStepState = z.infer<typeof PlanStepStateSchema>;

/** Members that people write too. */
export const ACCEPTANCE = { kind: z.enum(["model", "person"]), criteria: PlanTextSchema.min(1) };

/** The party that says whether a subtask is done, and its criteria. @public */
export const SubtaskAcceptanceSchema = z
  .object({
    ...ACCEPTANCE,
    /** `reviewing`: the model was asked to compare the outcome with the criteria, and has not answered yet. */
    state: z.enum(["open", "reviewing", "accepted"]),
  })
  .meta({ id: "SubtaskAcceptance", description: "Who says that a subtask is done, and by what." });
export interface SubtaskAcceptance extends Readonly<z.infer<typeof SubtaskAcceptanceSchema>> {}

export const PlanMetadataSchema = z
  .record(z.string(), z.unknown())
  .refine((given) => !Object.hasOwn(given, "plan"), {
    path: ["plan"],
    message: "is the platform's own key",
  });

export const SubtaskSchema = z
  .object({
    /** A number as text, unique in the plan and never given again. */
    id: PlanIdSchema,
    name: PlanNameSchema,
    description: PlanTextSchema,
    expected_outcome: PlanTextSchema,
    state: PlanStepStateSchema,
    /** Null until it is done. */
    outcome: PlanTextSchema.nullable(),
    acceptance: SubtaskAcceptanceSchema.nullable(),
    created_at: TimestampSchema,
    /** Null until it is done or abandoned. */
    finished_at: TimestampSchema.nullable(),
    owner: PlanNameSchema.nullable(),
    /** Ids of subtasks that wait for this one. They bind nothing. */
    blocks: PlanIdsSchema,
    /** Ids of subtasks that this one waits for. They bind nothing. */
    blocked_by: PlanIdsSchema,
    metadata: PlanMetadataSchema,
  })
  .meta({ id: "Subtask", description: "A step of a plan; a task of AgentScope 2." });
export interface Subtask extends Frozen<z.infer<typeof SubtaskSchema>> {}

export const PlanSchema = z
  .object({
    /** Unique in the session. */
    id: PlanIdSchema,
    name: PlanNameSchema,
    description: PlanTextSchema,
    expected_outcome: PlanTextSchema,
    /** Of an open plan that of its subtasks: `in_progress` once one of them was begun. */
    state: PlanStepStateSchema,
    created_at: TimestampSchema,
    /** Null while it is open. */
    finished_at: TimestampSchema.nullable(),
    outcome: PlanTextSchema.nullable(),
    /** The number in the greatest id that a subtask has had. */
    last_subtask: z.number().int().nonnegative(),
    subtasks: z.array(SubtaskSchema),
  })
  .meta({ id: "Plan", description: "A plan and its subtasks." });
export interface Plan extends Frozen<z.infer<typeof PlanSchema>> {}

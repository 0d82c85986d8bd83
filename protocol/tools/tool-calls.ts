// A tool of an agent that is called by hand: outside any session, so nothing of it enters one.
import * as z from "zod";

import { TextOrDataBlockSchema } from "../messages/blocks.ts";
import { RuleTestResultSchema } from "../permission/contract.ts";

/** In place of a reply's id, and of a session's where there is none, in what a tool is told of a call by hand. */
export const CALLED_BY_HAND = "by_hand";

export const ToolCallCreateSchema = z
  .strictObject({
    /** The tool's input; it has to fit the tool's schema. */
    input: z.record(z.string(), z.json()).default({}),
    /** The version whose tool is called; the newest when left out. */
    version: z.number().int().positive().optional(),
    /** A session of this agent in whose name it is called: its version, its rules and its end user. */
    session_id: z.string().max(64).optional(),
  })
  .refine(({ version, session_id }) => version === undefined || session_id === undefined, {
    message: "give a version or a session, which has one",
    path: ["session_id"],
  })
  .meta({ id: "ToolCallCreate", description: "What to call a tool with." });
export type ToolCallCreate = z.infer<typeof ToolCallCreateSchema>;

export const CalledToolSchema = z
  .object({
    agent_id: z.string(),
    /** The version whose tool was called. */
    version: z.number().int().positive(),
    /** Null for a call in no session's name. */
    session_id: z.string().nullable(),
    /** The decision of the permission rules about such a call of the model. */
    permission: RuleTestResultSchema.omit({ suggested_rules: true }),
    result: z.object({
      type: z.literal("tool_result"),
      /** The call's id, which the tool's server was told. */
      id: z.string(),
      name: z.string(),
      output: z.array(TextOrDataBlockSchema),
      state: z.enum(["success", "error"]),
      metadata: z.record(z.string(), z.unknown()),
      created_at: z.string(),
      finished_at: z.string(),
    }),
    /** Whether a part of the result was left out as it is too large to be shown. */
    is_truncated: z.boolean(),
    /** The status of an http tool's server; null where none answered. */
    http_status: z.number().int().nullable(),
    duration_ms: z.number().int().nonnegative(),
  })
  .meta({ id: "CalledTool", description: "The result of a tool that was called by hand." });
export type CalledTool = z.infer<typeof CalledToolSchema>;

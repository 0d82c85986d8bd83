// Tasks of a session, and the result that a tool's server posts for one.
import * as z from "zod";

import { TextOrDataBlockSchema } from "../messages/blocks.ts";
import type { Frozen } from "../messages/frozen.ts";
import { TimestampSchema } from "../schemas/common.ts";

/** @public */
export const SessionTaskSchema = z
  .object({
    id: z.string(),
    /** `mcp`, `a2a`: a call waits for a task of a server, of another system's agent. `background`: the call was let go. */
    kind: z.enum(["mcp", "a2a", "background"]),
    /** The reply whose call it is. */
    reply_id: z.string(),
    tool_call_id: z.string(),
    tool_name: z.string(),
    status: z.enum(["working", "input_required", "completed", "failed", "cancelled"]),
    /** The server's words, or why there is no result; null when there is nothing to say. */
    message: z.string().nullable(),
    /** The end that it waits for: of its request, or a result that is posted. Null for a task of a server or an agent. */
    waits_for: z.enum(["request", "callback"]).nullable(),
    created_at: TimestampSchema,
    /** Until when there has to be a result. */
    expires_at: TimestampSchema,
    ended_at: TimestampSchema.nullable(),
    /** The reply that its end has begun; null before, and for a task that begins none. */
    woken_reply_id: z.string().nullable(),
    /** Its end begins a reply once a person has said something. */
    paused: z.boolean(),
  })
  .meta({ id: "SessionTask", description: "Work of a tool that goes on without its call." });
export interface SessionTask extends Frozen<z.infer<typeof SessionTaskSchema>> {}

export const SessionTaskListSchema = z
  .object({
    /** Tasks that work first, then newest first. */
    data: z.array(SessionTaskSchema),
  })
  .meta({ id: "SessionTaskList", description: "The tasks of a session." });
export interface SessionTaskList extends Frozen<z.infer<typeof SessionTaskListSchema>> {}

/** A result as the tool itself would have answered. */
export const TaskResultSchema = z
  .strictObject({
    output: z.union([z.string(), z.array(TextOrDataBlockSchema)]),
    state: z.enum(["success", "error"]).default("success"),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "TaskResult", description: "The result of a background task." });
export type TaskResult = z.infer<typeof TaskResultSchema>;

export const TaskReceiptSchema = z
  .object({
    task_id: z.string(),
    /** False when the same result had been taken before. */
    applied: z.boolean(),
  })
  .meta({ id: "TaskReceipt", description: "The result was taken." });
export interface TaskReceipt extends Frozen<z.infer<typeof TaskReceiptSchema>> {}

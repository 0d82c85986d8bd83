// Replays: a recorded session is run again on another version of its agent, with tools answered from the log only.
import * as z from "zod";

import type { Stream } from "../requests/contract.ts";
import { DEFAULT_REPLAY_REPLIES, MAX_REPLAY_REPLIES } from "../diagnostics/limits.ts";
import { ErrorInfoSchema, FinishedReasonSchema, UsageSchema } from "../messages/messages.ts";
import { AgentCreateSchema } from "../agents/contract.ts";
import { CostSchema } from "../schemas/money.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { ToolResultStateSchema } from "../messages/blocks.ts";

const id = z.string().max(64);
const count = z.number().int().nonnegative();

export const ReplayCreateSchema = z
  .strictObject({
    /** The recorded session, which is one of this agent's. */
    session_id: id,
    /** The version to run it on; the newest when left out. */
    version: z.number().int().positive().optional(),
    /** A definition that is not stored, in place of a version: what an editor has before it is saved. */
    definition: AgentCreateSchema.optional(),
    /** The first reply that is run again; the session's first one when left out. What is before it stays as recorded. */
    from_reply_id: id.optional(),
    max_replies: z.number().int().min(1).max(MAX_REPLAY_REPLIES).default(DEFAULT_REPLAY_REPLIES),
    /** The answer to a call that asks for a confirmation which the record does not have. */
    assume: z.enum(["deny", "allow", "stop"]).default("stop"),
    /** The answer is an event stream with progress; `Accept: text/event-stream` does the same. */
    stream: z.boolean().default(false),
  })
  .refine(({ version, definition }) => version === undefined || definition === undefined, {
    message: "give a version or a definition, not both",
    path: ["definition"],
  })
  .meta({ id: "ReplayCreate", description: "What to run again, and on which definition." });
export type ReplayCreate = z.infer<typeof ReplayCreateSchema>;

/** A call's input as text, as its model wrote it; cut where it is long. */
const input = z.string().nullable();

const ReplayedCallRefSchema = z.object({
  reply_id: z.string(),
  tool_call_id: z.string(),
  tool_name: z.string(),
  input: z.string(),
});

const REPLAY_STOPS = [
  /** A call without a recorded result. */
  "no_recorded_result",
  /** A call that asks for a confirmation which the record does not have. */
  "confirmation_required",
  /** A model call failed, or a budget of the agent was used up. */
  "reply_failed",
  "deadline",
  "model_calls",
  "output_limit",
  "quota_exceeded",
  "tenant_stopped",
  "session_deleted",
  "recording_unreadable",
  "internal",
] as const;

/** @public */
export const ReplayStopSchema = z
  .object({
    reason: z.enum(REPLAY_STOPS),
    detail: z.string(),
    /** The recorded reply that was being run again; null before the first. */
    reply_id: z.string().nullable(),
    /** The call; null where none is the reason. */
    tool_call: ReplayedCallRefSchema.nullable(),
    /** The error of the model; null for another reason. */
    error: ErrorInfoSchema.nullable(),
  })
  .meta({ id: "ReplayStop", description: "Why a replay has ended before its last reply." });
export type ReplayStop = z.infer<typeof ReplayStopSchema>;

/** @public */
export const ReplayedCallSchema = z
  .object({
    /** `same`, `changed` input, only in the replay (`new`), or only in the record (`gone`). */
    change: z.enum(["same", "changed", "new", "gone"]),
    tool_name: z.string(),
    /** Null for a call that is gone. */
    tool_call_id: z.string().nullable(),
    /** Null for a new one. */
    recorded_tool_call_id: z.string().nullable(),
    input,
    recorded_input: input,
    /** The source of the replay's answer; null for a call that is gone. */
    answered: z
      .enum([
        "recorded",
        "repeated",
        "platform",
        "assumed_denial",
        "recorded_denial",
        "not_answered",
      ])
      .nullable(),
    /** Null for a call that is gone or was not answered. */
    state: ToolResultStateSchema.nullable(),
    recorded_state: ToolResultStateSchema.nullable(),
    /** The change for the person who is asked; null for a call that asked neither time. */
    approval: z.enum(["still_asked", "newly_asked", "skipped", "gone"]).nullable(),
    /** The one who answered a question of the replay; null where none was asked, or the replay stopped there. */
    approved_by: z.enum(["recording", "assumption"]).nullable(),
  })
  .meta({
    id: "ReplayedCall",
    description: "A call of the replay beside the one of the record that stands for it.",
  });
export type ReplayedCall = z.infer<typeof ReplayedCallSchema>;

const side = {
  text: z.string(),
  text_truncated: z.boolean(),
  structured_output: z.record(z.string(), z.unknown()).nullable(),
  model_calls: count,
  usage: UsageSchema.nullable(),
  cost_usd: CostSchema,
  error: ErrorInfoSchema.nullable(),
};

const RecordedReplySchema = z.object({
  /** The reason that the reply ended. */
  status: FinishedReasonSchema,
  agent_version: count,
  created_at: TimestampSchema,
  ...side,
});

/** @public */
export const ReplayedReplySchema = z
  .object({
    reply_id: z.string(),
    recorded: RecordedReplySchema,
    replayed: z.object({
      /** `stopped` where the replay ended before the reply did. */
      status: z.enum([...FinishedReasonSchema.options, "stopped"]),
      duration_ms: count,
      ...side,
    }),
    /** Whether the text or the structured output differs. */
    answer_changed: z.boolean(),
    /** In the order of the replay; those that are gone come last. */
    calls: z.array(ReplayedCallSchema),
    /** More calls than are listed; `summary` counts all of them. */
    calls_omitted: count,
  })
  .meta({ id: "ReplayedReply", description: "A reply of the record beside what became of it." });
export type ReplayedReply = z.infer<typeof ReplayedReplySchema>;

const sums = z.object({
  model_calls: count,
  usage: UsageSchema,
  cost_usd: CostSchema,
});

/** @public */
export const ReplaySummarySchema = z
  .object({
    replies: count,
    answers_changed: count,
    calls: z.object({ same: count, changed: count, new: count, gone: count }),
    approvals: z.object({ still_asked: count, newly_asked: count, skipped: count, gone: count }),
    recorded: sums,
    replayed: sums,
  })
  .meta({ id: "ReplaySummary", description: "Sums over the replies of a replay." });
export type ReplaySummary = z.infer<typeof ReplaySummarySchema>;

export const ReplaySchema = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    session_id: z.string(),
    /** The version that was run; null for a definition that is not stored. */
    version: z.number().int().positive().nullable(),
    replies: z.array(ReplayedReplySchema),
    summary: ReplaySummarySchema,
    /** Null when every reply was run to its end. */
    stopped: ReplayStopSchema.nullable(),
    /** The next recorded reply, which this replay had no place for; null for none. */
    next_reply_id: z.string().nullable(),
  })
  .meta({ id: "Replay", description: "What changed when a session was run again." });
export type Replay = z.infer<typeof ReplaySchema>;

/** An event of the stream, whose name is its `type`. @public */
export const ReplayEventSchema = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("progress"),
      /** The recorded reply that is run again from now on. */
      reply_id: z.string(),
      number: z.number().int().positive(),
      replies: count,
    }),
    z.object({ type: z.literal("result"), replay: ReplaySchema }),
  ])
  .meta({
    id: "ReplayEvent",
    description: "An event of a replay's stream: progress, then the result, which is the last one.",
  });
export type ReplayEvent = z.infer<typeof ReplayEventSchema>;
export type ReplayProgress = Extract<ReplayEvent, { type: "progress" }>;

export const REPLAY_STREAM = {
  id: "ReplayEventStream",
  description:
    "Server-sent events. Each frame has `id:`, `event:` (the type) and `data:` (one ReplayEvent as JSON on one line). Comment lines are heartbeats. It cannot be resumed.",
  event: ReplayEventSchema,
  example: "replayStream",
} as const satisfies Stream;

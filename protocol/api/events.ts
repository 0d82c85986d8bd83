// Reading a session's events, and what clients may post to them.
import { z } from "zod";

import { ToolCallBlockSchema, ToolResultBlockSchema } from "../messages/blocks.ts";
import { currentTimestamp, generateId } from "../messages/defaults.ts";
import type { InputEvent } from "../events.ts";
import { MAX_ANSWERED_CALLS, MAX_EVENT_METADATA_BYTES } from "../limits/answers.ts";
import { MAX_TAKEN_RULES } from "../limits/permission-rules.ts";
import { MAX_CALL_ID_CHARACTERS } from "../limits/tools.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { RawEventsSchema } from "./ag-ui/ag-ui-queries.ts";
import type { Scope } from "./api-keys.ts";
import type { Verb } from "./client-tokens.ts";
import { PageQuerySchema } from "./schemas/common.ts";
import { EventFormatSchema } from "./schemas/event-format.ts";
import { TextOrMediaBlockSchema } from "./schemas/media-blocks.ts";
import { RuleInputSchema } from "./permission-rules.ts";
import type { Reply } from "./replies.ts";

/** `limit` counts for pages only; `follow` for streams only. */
export const EventsQuerySchema = PageQuerySchema.extend({
  /** Events above this seq; `Last-Event-ID` and `page` win over it. */
  after: z.string().optional(),
  /** Only this reply's events; its stream ends with it. */
  reply_id: z.string().optional(),
  /** `session` keeps the stream open between replies. */
  follow: z.enum(["session"]).optional(),
  /** The names and shapes of the events. */
  format: EventFormatSchema,
  /** The log's own events go along with those of AG-UI. */
  raw: RawEventsSchema,
  /** A stream ticket, for `EventSource`, which sends no headers; the door has read it before the handler. */
  token: z.string().optional(),
});
export type EventsQuery = z.infer<typeof EventsQuerySchema>;

/** What a credential needs to post an event: the scope of an API key, or the verb of a client token. */
export const INPUT_EVENT_RIGHTS: Readonly<
  Record<InputEvent["type"], { readonly scope: Scope; readonly verb: Verb }>
> = {
  USER_CONFIRM_RESULT: { scope: "confirmations:write", verb: "confirm" },
  EXTERNAL_EXECUTION_RESULT: { scope: "tool_results:write", verb: "tool_result" },
  USER_INTERRUPT: { scope: "replies:write", verb: "interrupt" },
};

/** Goes into the log with its event, in one piece. */
const EventMetadataSchema = z
  .record(z.string(), z.json())
  .refine((metadata) => utf8Bytes(JSON.stringify(metadata)) <= MAX_EVENT_METADATA_BYTES, {
    message: `an event's metadata may take ${MAX_EVENT_METADATA_BYTES} bytes as JSON at most`,
  });

const base = {
  id: z.string().min(1).max(128).default(generateId),
  created_at: z.string().max(64).default(currentTimestamp),
  metadata: EventMetadataSchema.default({}),
  visibility: z.enum(["user", "internal", "artifact"]).optional(),
  reply_id: z.string().min(1).max(200),
};
const callId = z.string().min(1).max(MAX_CALL_ID_CHARACTERS);
const callName = z.string().min(1).max(200).optional();

/**
 * AgentScope's block whole, or no more than the call's id: a name or an input that is left out stands for the
 * call's own (`completeAnswer` of the agent fills it in). What is not of the block is dropped, as of every block.
 */
export const AnsweredCallSchema = ToolCallBlockSchema.extend({
  type: z.literal("tool_call").default("tool_call"),
  id: callId,
  name: callName,
  input: z.string().optional(),
});

export const PostedConfirmResultSchema = z.strictObject({
  confirmed: z.boolean(),
  tool_call: AnsweredCallSchema,
  /** Allow, ask or deny rules that this answer switches on for the session. */
  rules: z.array(RuleInputSchema).max(MAX_TAKEN_RULES).nullable().default(null),
});

/** AgentScope's block whole, or no more than the call's id and the output. */
export const PostedResultSchema = ToolResultBlockSchema.extend({
  type: z.literal("tool_result").default("tool_result"),
  id: callId,
  name: callName,
  output: z.union([z.string(), z.array(TextOrMediaBlockSchema)]),
  state: z
    .enum(["success", "error"], { error: "a result is given as success or error" })
    .default("success"),
  metadata: EventMetadataSchema.default({}),
});

export const PostedConfirmationSchema = z.strictObject({
  type: z.literal("USER_CONFIRM_RESULT"),
  ...base,
  confirm_results: z.array(PostedConfirmResultSchema).min(1).max(MAX_ANSWERED_CALLS),
});
export const PostedExecutionSchema = z.strictObject({
  type: z.literal("EXTERNAL_EXECUTION_RESULT"),
  ...base,
  execution_results: z.array(PostedResultSchema).min(1).max(MAX_ANSWERED_CALLS),
});
export const PostedInterruptSchema = z.strictObject({
  type: z.literal("USER_INTERRUPT"),
  ...base,
});

/** What a client may post; everything else is the agent's to say. */
export const PostedEventSchema = z.discriminatedUnion("type", [
  PostedConfirmationSchema,
  PostedExecutionSchema,
  PostedInterruptSchema,
]);
export type PostedEvent = z.infer<typeof PostedEventSchema>;
/** An event as people write it: ids, times, names and states may be left out. */
export type PostedEventInput = z.input<typeof PostedEventSchema>;

/** What became of a posted event. */
export interface EventReceipt {
  /** The reply right after the event was durable; null for an interrupt where nothing ran. */
  readonly reply: Reply | null;
  /** The seq before the event: a stream from here shows everything that followed. */
  readonly cursor: number;
  /** False for an answer that had been given before in the same words. */
  readonly applied: boolean;
}

export const PostEventQuerySchema = z.strictObject({
  /** Answer with what follows as SSE, or not, whatever `Accept` says. */
  stream: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
  /** Of the events that follow; a receipt has none. */
  format: EventFormatSchema,
});

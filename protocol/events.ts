// The 28 event types of AgentScope 2.x. `seq` is an addition of this platform: the log assigns it; input events have
// none.
import * as z from "zod";

import {
  TextOrDataBlockSchema,
  ToolCallBlockSchema,
  ToolResultBlockSchema,
  ToolResultStateSchema,
  UrlSourceSchema,
} from "./messages/blocks.ts";
import { currentTimestamp, generateId } from "./messages/defaults.ts";
import { ErrorInfoSchema, FinishedReasonSchema } from "./messages/messages.ts";
import { RoleSchema } from "./messages/role.ts";
import { PermissionRuleSchema } from "./messages/permission.ts";

const metadata = z.record(z.string(), z.unknown()).default({});
const base = {
  id: z.string().default(generateId),
  created_at: z.string().default(currentTimestamp),
  metadata,
  /** For user interfaces only; it does not affect the model's context. The log sets `user`. */
  visibility: z.enum(["user", "internal", "artifact"]).optional(),
};
/** A strictly increasing integer per session, never reused; the SSE `id`. */
const seq = { seq: z.number().int().positive().optional() };
const tokens = z.number().int().nonnegative();

/** An event schema with its members in the order of the reference implementation's output. */
function event<Type extends string, Fields extends z.core.$ZodLooseShape>(
  type: Type,
  fields: Fields,
) {
  return z.object({ ...base, type: z.literal(type), reply_id: z.string(), ...fields, ...seq });
}

const blockEvent = { block_id: z.string() };
const callEvent = { tool_call_id: z.string() };
const namedCallEvent = { ...callEvent, tool_call_name: z.string() };
/** The url is validated here because the fold copies it into a block's source and cannot fail. */
const payload = {
  data: z.string().nullable().default(null),
  url: UrlSourceSchema.shape.url.nullable().default(null),
};
function isOnePayload(value: { data: string | null; url: string | null }): boolean {
  return (value.data === null) !== (value.url === null);
}
const onePayload = { message: "give exactly one of data and url", path: ["data"] };

/** @public */
export const ConfirmResultSchema = z
  .object({
    confirmed: z.boolean(),
    tool_call: ToolCallBlockSchema,
    rules: z.array(PermissionRuleSchema).nullable().default(null),
    /** The reason; absent in events of before this member, which have it in `metadata.reasons`. */
    reason: z.string().nullish(),
  })
  .meta({ id: "ConfirmResult", description: "A person's answer to one tool call." });
export type ConfirmResult = z.infer<typeof ConfirmResultSchema>;

const replyStart = z.object({
  ...base,
  type: z.literal("REPLY_START"),
  session_id: z.string(),
  reply_id: z.string(),
  name: z.string(),
  role: RoleSchema.default("assistant"),
  ...seq,
});
const replyEnd = z.object({
  ...base,
  type: z.literal("REPLY_END"),
  session_id: z.string(),
  reply_id: z.string(),
  finished_reason: FinishedReasonSchema.default("completed"),
  error: ErrorInfoSchema.nullable().default(null),
  ...seq,
});
const modelCallEnd = event("MODEL_CALL_END", {
  input_tokens: tokens,
  output_tokens: tokens,
  cache_input_tokens: tokens.default(0),
  cache_creation_input_tokens: tokens.default(0),
  finished_reason: z.enum(["completed", "interrupted"]).default("completed"),
});
const hintBlock = event("HINT_BLOCK", {
  ...blockEvent,
  source: z.string().nullable().default(null),
  hint: z.union([z.string(), z.array(TextOrDataBlockSchema)]),
});
const custom = z
  .object({
    ...base,
    type: z.literal("CUSTOM"),
    name: z.string(),
    value: z.record(z.string(), z.unknown()).default({}),
    /** Only when the event is about a reply. */
    reply_id: z.string().optional(),
    ...seq,
  })
  .describe(
    "An event that AgentScope does not have, such as `message_added`. Ignore an unknown `name`.",
  );

/** The events that a client may post; all others are written by the platform. @public */
export const InputEventSchema = z.discriminatedUnion("type", [
  event("USER_CONFIRM_RESULT", { confirm_results: z.array(ConfirmResultSchema) }),
  event("EXTERNAL_EXECUTION_RESULT", { execution_results: z.array(ToolResultBlockSchema) }),
  event("USER_INTERRUPT", {}),
]);
export type InputEvent = z.infer<typeof InputEventSchema>;

export const AgentEventSchema = z
  .discriminatedUnion("type", [
    replyStart,
    replyEnd,
    event("MODEL_CALL_START", { model_name: z.string() }),
    modelCallEnd,
    event("TEXT_BLOCK_START", blockEvent),
    event("TEXT_BLOCK_DELTA", { ...blockEvent, delta: z.string() }),
    event("TEXT_BLOCK_END", { ...blockEvent, text: z.string().nullable().default(null) }),
    event("THINKING_BLOCK_START", blockEvent),
    event("THINKING_BLOCK_DELTA", { ...blockEvent, delta: z.string() }),
    event("THINKING_BLOCK_END", blockEvent),
    event("DATA_BLOCK_START", {
      ...blockEvent,
      media_type: z.string(),
      name: z.string().nullable().default(null),
    }),
    event("DATA_BLOCK_DELTA", { ...blockEvent, media_type: z.string(), ...payload }).refine(
      isOnePayload,
      onePayload,
    ),
    event("DATA_BLOCK_END", blockEvent),
    hintBlock,
    event("TOOL_CALL_START", namedCallEvent),
    event("TOOL_CALL_DELTA", { ...callEvent, delta: z.string() }),
    event("TOOL_CALL_END", callEvent),
    event("TOOL_RESULT_START", namedCallEvent),
    event("TOOL_RESULT_TEXT_DELTA", { ...callEvent, delta: z.string() }),
    event("TOOL_RESULT_DATA_DELTA", {
      ...callEvent,
      block_id: z.string().default(generateId),
      media_type: z.string(),
      ...payload,
    }).refine(isOnePayload, onePayload),
    event("TOOL_RESULT_END", { ...callEvent, state: ToolResultStateSchema }),
    event("EXCEED_MAX_ITERS", { name: z.string() }),
    event("REQUIRE_USER_CONFIRM", { tool_calls: z.array(ToolCallBlockSchema) }),
    event("REQUIRE_EXTERNAL_EXECUTION", { tool_calls: z.array(ToolCallBlockSchema) }),
    ...InputEventSchema.options,
    custom,
  ])
  .meta({
    id: "LoggedEvent",
    description:
      "An event as the log holds it. Clients must ignore types and fields that they do not know.",
  });
export type AgentEvent = z.infer<typeof AgentEventSchema>;
type EventType = AgentEvent["type"];
export type EventOf<Type extends EventType> = Extract<AgentEvent, { type: Type }>;

/** An event as stored in the log and sent on streams. */
export type LoggedEvent = AgentEvent & { seq: number };

type DraftOf<Event> = Event extends AgentEvent
  ? Omit<Event, "id" | "created_at" | "metadata" | "visibility" | "seq"> & {
      metadata?: Record<string, unknown>;
    }
  : never;
/** An event to which the log has not yet assigned id, time and seq. */
export type EventDraft = DraftOf<AgentEvent>;

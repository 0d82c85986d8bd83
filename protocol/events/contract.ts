// Queries on a session's events, and the events that clients may post.
import * as z from "zod";

import type { Stream } from "../requests/contract.ts";
import { ToolCallBlockSchema, ToolResultBlockSchema } from "../messages/blocks.ts";
import { currentTimestamp, generateId } from "../messages/defaults.ts";
import { AgentEventSchema, type InputEvent } from "../events.ts";
import {
  MAX_ANSWERED_CALLS,
  MAX_ANSWER_REASON_CHARACTERS,
  MAX_EVENT_METADATA_BYTES,
} from "../confirmations/limits.ts";
import { MAX_ACCEPTED_RULES } from "../permission/limits.ts";
import { MAX_CALL_ID_CHARACTERS } from "../tools/limits.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { AgUiProfileSchema, RawEventsSchema } from "../ag-ui/ag-ui-queries.ts";
import type { Scope } from "../keys/contract.ts";
import type { Verb } from "../client-tokens/contract.ts";
import type { Frozen } from "../messages/frozen.ts";
import { CursorSchema, pageOf, PageQuerySchema } from "../schemas/common.ts";
import { AnswerFormatSchema, EventFormatSchema } from "../schemas/event-format.ts";
import { TextOrMediaBlockSchema } from "../files/media-blocks.ts";
import { RuleInputSchema } from "../permission/contract.ts";
import { ReplySchema } from "../replies/contract.ts";
import { AgentScope1ReplySchema, JavaReplySchema } from "../replies/reply-forms.ts";

/** `limit` applies to pages only, `follow` to streams only. */
export const EventsQuerySchema = PageQuerySchema.extend({
  /** Events after this seq; `Last-Event-ID` and `page` take precedence. */
  after: z.string().optional(),
  /** Only this reply's events; its stream ends with it. */
  reply_id: z.string().optional(),
  /** `session` keeps the stream open between replies. */
  follow: z.enum(["session"]).optional(),
  /** The dialect of the events. */
  format: EventFormatSchema,
  /** Adds the log's own events to those of AG-UI. */
  raw: RawEventsSchema,
  /** The version of AG-UI in which its events are written; the newest one when left out. */
  profile: AgUiProfileSchema.optional(),
  /** A stream ticket, for `EventSource`, which cannot send headers. Read by the authentication middleware. */
  token: z.string().optional(),
});

/** The right that an event needs: the scope of an API key, or the verb of a client token. */
export const INPUT_EVENT_RIGHTS: Readonly<
  Record<InputEvent["type"], { readonly scope: Scope; readonly verb: Verb }>
> = {
  USER_CONFIRM_RESULT: { scope: "confirmations:write", verb: "confirm" },
  EXTERNAL_EXECUTION_RESULT: { scope: "tool_results:write", verb: "tool_result" },
  USER_INTERRUPT: { scope: "replies:write", verb: "interrupt" },
};

/** Bounded because it is stored in the row of its event. */
const EventMetadataSchema = z
  .record(z.string(), z.json())
  .refine((metadata) => utf8Bytes(JSON.stringify(metadata)) <= MAX_EVENT_METADATA_BYTES, {
    message: `an event's metadata may take ${MAX_EVENT_METADATA_BYTES} bytes as JSON at most`,
  });

/** Reasons were given here once. They are refused, so that none is lost; the empty record comes from earlier SDKs. */
const ConfirmationMetadataSchema = EventMetadataSchema.refine(
  ({ reasons }) => reasons === undefined || JSON.stringify(reasons) === "{}",
  { path: ["reasons"], message: "a reason is given as `reason` of its entry of confirm_results" },
);

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
 * AgentScope's complete block, or only the call's id: an absent name or input means that of the call (`completeAnswer`
 * in agent/ fills it in). Unknown members are dropped, as in every block.
 * @public
 */
export const AnsweredCallSchema = ToolCallBlockSchema.extend({
  type: z.literal("tool_call").default("tool_call"),
  id: callId,
  name: callName,
  input: z.string().optional(),
}).meta({ id: "ToolCallBlockInput" });

export const PostedConfirmResultSchema = z
  .strictObject({
    confirmed: z.boolean(),
    tool_call: AnsweredCallSchema,
    /** Permission rules that this answer adds to the session. */
    rules: z.array(RuleInputSchema).max(MAX_ACCEPTED_RULES).nullable().default(null),
    /** The reason. The model is told that of a denial; that of an approval is kept in the log of decisions alone. */
    reason: z.string().max(MAX_ANSWER_REASON_CHARACTERS).nullish(),
  })
  .meta({ id: "ConfirmResultInput" });

/** AgentScope's complete block, or only the call's id and the output. */
export const PostedResultSchema = ToolResultBlockSchema.extend({
  type: z.literal("tool_result").default("tool_result"),
  id: callId,
  name: callName,
  output: z.union([z.string(), z.array(TextOrMediaBlockSchema)]),
  state: z
    .enum(["success", "error"], { error: "a result is given as success or error" })
    .default("success"),
  metadata: EventMetadataSchema.default({}),
}).meta({ id: "ToolResultBlockInput" });

export const PostedConfirmationSchema = z
  .strictObject({
    type: z.literal("USER_CONFIRM_RESULT"),
    ...base,
    metadata: ConfirmationMetadataSchema.default({}),
    confirm_results: z.array(PostedConfirmResultSchema).min(1).max(MAX_ANSWERED_CALLS),
  })
  .meta({ id: "UserConfirmResultEventInput" });
export const PostedExecutionSchema = z
  .strictObject({
    type: z.literal("EXTERNAL_EXECUTION_RESULT"),
    ...base,
    execution_results: z.array(PostedResultSchema).min(1).max(MAX_ANSWERED_CALLS),
  })
  .meta({ id: "ExternalExecutionResultEventInput" });
/** @public */
export const PostedInterruptSchema = z
  .strictObject({
    type: z.literal("USER_INTERRUPT"),
    ...base,
  })
  .meta({ id: "UserInterruptEventInput" });

/** The events that a client may post; all others are written by the platform. */
export const PostedEventSchema = z
  .discriminatedUnion("type", [
    PostedConfirmationSchema,
    PostedExecutionSchema,
    PostedInterruptSchema,
  ])
  .meta({
    id: "PostedEvent",
    description: "The events that a client may post; all others come from the platform.",
  });
/** The input type: ids, times, names and states are optional. */
export type PostedEventInput = z.input<typeof PostedEventSchema>;

/** The outcome of a posted event. */
export const EventReceiptSchema = z
  .object({
    /** The reply right after the event was stored; null when an interrupt found no running reply. */
    reply: ReplySchema.nullable(),
    /** The seq before the event: a stream from here shows everything that follows. */
    cursor: CursorSchema,
    /** False when the same answer had been applied before. */
    applied: z.boolean(),
  })
  .meta({ id: "EventReceipt", description: "The outcome of a posted event." });
export interface EventReceipt extends Frozen<z.infer<typeof EventReceiptSchema>> {}

/** @public */
export const AgentScope1EventReceiptSchema = EventReceiptSchema.extend({
  reply: AgentScope1ReplySchema.nullable(),
}).meta({ id: "AgentScope1EventReceipt", description: "A receipt with `format=agentscope-1`." });

/** @public */
export const JavaEventReceiptSchema = EventReceiptSchema.extend({
  reply: JavaReplySchema.nullable(),
}).meta({ id: "JavaEventReceipt", description: "A receipt with `format=agentscope-java`." });

export const EventPageSchema = pageOf(AgentEventSchema)
  .extend({ cursor: CursorSchema })
  .meta({ id: "EventPage" });

/** The members common to all events of AgentScope for Java; the others depend on `type`. @public */
export const JavaEventSchema = z
  .looseObject({
    id: z.string(),
    createdAt: z.string(),
    type: z.string(),
    /** Only when the event is about a reply. */
    replyId: z.string().optional(),
  })
  .meta({
    id: "JavaEvent",
    description:
      "An event in the dialect of AgentScope for Java; docs/protocol.md says what each type holds.",
  });

/** A page of events with `format=agentscope-java`. */
export const JavaEventPageSchema = pageOf(JavaEventSchema).extend({ cursor: CursorSchema }).meta({
  id: "JavaEventPage",
  description: "A page with `format=agentscope-java`. It may have more events than `limit`.",
});

export const PostEventQuerySchema = z.strictObject({
  /** Whether to answer with the following events as SSE; overrides `Accept`. */
  stream: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
  /** Dialect of the streamed events, or of the reply in the receipt. */
  format: AnswerFormatSchema,
});

/** The stream of a session's events, in the log's own format. */
export const EVENT_STREAM = {
  id: "EventStream",
  description:
    "Server-sent events. Each frame has `id:` (the seq), `event:` (the type) and `data:` (one LoggedEvent as JSON on one line). Comment lines are heartbeats.",
  event: AgentEventSchema,
  example: "eventStream",
} as const satisfies Stream;

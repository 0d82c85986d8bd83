// Conversation in a room: messages, events, answers of people, and interrupts.
import * as z from "zod";

import { AgUiProfileSchema } from "../ag-ui/ag-ui-queries.ts";
import { AgentEventSchema } from "../events.ts";
import { TextOrMediaBlockSchema } from "../files/media-blocks.ts";
import type { Frozen } from "../messages/frozen.ts";
import { MsgSchema } from "../messages/messages.ts";
import { ReplySchema } from "../replies/contract.ts";
import type { Stream } from "../requests/contract.ts";
import { MAX_MESSAGE_BLOCKS, MAX_MESSAGE_ID_CHARACTERS } from "../requests/limits.ts";
import { CursorSchema, MetadataSchema, pageOf, PageQuerySchema } from "../schemas/common.ts";
import { withoutSpeech } from "../voice/events.ts";
import { MAX_MENTIONS } from "./limits.ts";
import { ParticipantNameSchema } from "./participants.ts";

const ContentSchema = z.union([
  z.string().min(1),
  z.array(TextOrMediaBlockSchema).min(1).max(MAX_MESSAGE_BLOCKS),
]);

/** A person's message in a room. */
export const RoomMessageCreateSchema = z
  .strictObject({
    /** The client's own id: again with the same content it is no second message. */
    id: z.string().min(1).max(MAX_MESSAGE_ID_CHARACTERS).optional(),
    /** The person who speaks. Left out: that of the client token, or the only person of the room. */
    participant: ParticipantNameSchema.optional(),
    content: ContentSchema,
    /** Participants who are to speak next, where turns go by mention. */
    mentions: z.array(ParticipantNameSchema).max(MAX_MENTIONS).default([]),
    /** The reaction to a discussion that goes on: wait for the end of the turn, or end it. */
    on_busy: z.enum(["queue", "interrupt"]).default("queue"),
    metadata: MetadataSchema.overwrite(withoutSpeech).default({}),
  })
  .meta({ id: "RoomMessageCreate", description: "What a person says." });
export type RoomMessageCreate = z.infer<typeof RoomMessageCreateSchema>;

export const RoomMessageReceiptSchema = z
  .object({
    message: MsgSchema,
    /** The stream position before the message: a stream from here shows it and what follows. */
    cursor: CursorSchema,
    /** False when the same message was there before. */
    added: z.boolean(),
  })
  .meta({ id: "RoomMessageReceipt", description: "A message that is in the room's log." });
export interface RoomMessageReceipt extends Frozen<z.infer<typeof RoomMessageReceiptSchema>> {}

export const RoomMessagePageSchema = pageOf(MsgSchema)
  .extend({ cursor: CursorSchema })
  .meta({ id: "RoomMessagePage", description: "Messages of a room, `name` being the speaker." });
export interface RoomMessagePage extends Frozen<z.infer<typeof RoomMessagePageSchema>> {}

/** `limit` applies to pages only, `follow` to streams only. */
export const RoomEventsQuerySchema = PageQuerySchema.extend({
  /** Events after this seq; `Last-Event-ID` and `page` take precedence. */
  after: z.string().optional(),
  /** `room` keeps the stream open between discussions. */
  follow: z.enum(["room"]).optional(),
  /** The dialect of the events. */
  format: z.enum(["agentscope", "ag-ui"]).default("agentscope"),
  /** The version of AG-UI in which its events are written; the newest one when left out. */
  profile: AgUiProfileSchema.optional(),
  /** A stream ticket, for `EventSource`, which cannot send headers. Read by the authentication middleware. */
  token: z.string().optional(),
});

export const RoomEventPageSchema = pageOf(AgentEventSchema)
  .extend({ cursor: CursorSchema })
  .meta({ id: "RoomEventPage", description: "Events of a room, each with its participant." });

/** The stream of a room's events. */
export const ROOM_EVENT_STREAM = {
  id: "RoomEventStream",
  description:
    "Server-sent events. Each frame has `id:` (the room's seq), `event:` (the type) and `data:` (one LoggedEvent as JSON on one line, with `metadata.participant`). Comment lines are heartbeats.",
  event: AgentEventSchema,
  example: "roomEventStream",
} as const satisfies Stream;

/** The outcome of an answer to a participant's call. */
export const RoomEventReceiptSchema = z
  .object({
    participant: z.string(),
    /** The reply right after the event was stored; null when an interrupt found no running reply. */
    reply: ReplySchema.nullable(),
    /** The room's position before the event. */
    cursor: CursorSchema,
    /** False when the same answer had been applied before. */
    applied: z.boolean(),
  })
  .meta({ id: "RoomEventReceipt", description: "The outcome of an answer." });
export interface RoomEventReceipt extends Frozen<z.infer<typeof RoomEventReceiptSchema>> {}

/** One agent's turn, or the whole discussion when the participant is left out. */
export const RoomInterruptSchema = z
  .strictObject({ participant: ParticipantNameSchema.optional() })
  .meta({ id: "RoomInterrupt", description: "What to end." });
export type RoomInterrupt = z.infer<typeof RoomInterruptSchema>;

export const RoomInterruptResultSchema = z
  .object({
    /** False when nothing ran and nothing waited. */
    interrupted: z.boolean(),
    /** Participants whose turns were ended. */
    participants: z.array(z.string()),
  })
  .meta({ id: "RoomInterruptResult" });
export interface RoomInterruptResult extends Frozen<z.infer<typeof RoomInterruptResultSchema>> {}

/** A person's answer to an input request. */
export const RoomInputSchema = z
  .strictObject({
    participant: ParticipantNameSchema.optional(),
    /** The request that is meant; the participant's open one when left out. */
    input_request_id: z.string().min(1).max(64).optional(),
    /** `decline` ends the turn without a message. */
    action: z.enum(["accept", "decline"]).default("accept"),
    content: ContentSchema.optional(),
    /** Values that the form asks for. */
    values: z.record(z.string(), z.json()).optional(),
    mentions: z.array(ParticipantNameSchema).max(MAX_MENTIONS).default([]),
  })
  .refine(
    ({ action, content, values }) =>
      action === "decline"
        ? content === undefined && values === undefined
        : content !== undefined || values !== undefined,
    { message: "an accepted request has a `content` or `values`, a declined one neither" },
  )
  .meta({ id: "RoomAnswer", description: "A person's turn." });
export type RoomInput = z.infer<typeof RoomInputSchema>;

export const RoomInputReceiptSchema = z
  .object({
    /** Null for a declined request. */
    message: MsgSchema.nullable(),
    cursor: CursorSchema,
    /** False when the same answer had been applied before. */
    applied: z.boolean(),
  })
  .meta({ id: "RoomInputReceipt", description: "The outcome of a person's turn." });
export interface RoomInputReceipt extends Frozen<z.infer<typeof RoomInputReceiptSchema>> {}

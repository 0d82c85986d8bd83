// JSON frames of a voice connection, and those of a reader of events over a WebSocket. Binary frames: audio-frame.ts.
import * as z from "zod";

import { MAX_ANSWERED_CALLS } from "../confirmations/limits.ts";
import {
  PostedConfirmationSchema,
  PostedConfirmResultSchema,
  PostedResultSchema,
} from "../events/contract.ts";
import { AgentEventSchema } from "../events.ts";
import { ProblemSchema } from "../problem.ts";
import { CursorSchema } from "../schemas/common.ts";
import {
  MAX_AUDIO_FRAME_CHARACTERS,
  MAX_FRAME_ID_CHARACTERS,
  MAX_FRAME_TEXT_CHARACTERS,
  MAX_ITEM,
  MAX_VOICE_TEXT_FRAME_BYTES,
} from "./limits.ts";

/** Given back as `ref` of an error; also the id of the message, or of the event, that the frame makes. */
const id = { id: z.string().min(1).max(MAX_FRAME_ID_CHARACTERS).optional() };
const item = z.number().int().min(0).max(MAX_ITEM);
const ms = z.number().int().min(0).max(0xffffffff);
const replyId = z.string().min(1).max(200);

/** Any whole number: a rate that is not ours has an error of its own. */
const format = z.strictObject({ rate: z.number().int().positive().max(1_000_000) });
const DetectionSchema = z.enum(["server", "manual"]);
const EncodingSchema = z.enum(["binary", "base64"]);

/** The first frame. */
export const StartFrameSchema = z
  .strictObject({
    type: z.literal("start"),
    ...id,
    /** Events after this seq come first; from now on when left out. */
    after: CursorSchema.optional(),
    input: format,
    output: format,
    /** `manual` switches the detection of turns off for this connection; as the agent says when left out. */
    turns: DetectionSchema.optional(),
    /** The form in which audio comes and goes; `binary` when left out. */
    audio: EncodingSchema.default("binary"),
  })
  .meta({ id: "StartFrame" });
export type StartFrame = z.infer<typeof StartFrameSchema>;

const audio = z.strictObject({
  type: z.literal("audio"),
  ...id,
  item: item.optional(),
  ms: ms.optional(),
  audio: z.string().max(MAX_AUDIO_FRAME_CHARACTERS),
});

/** A frame behind the first. */
export const ClientFrameSchema = z
  .discriminatedUnion("type", [
    audio,
    /** The user's turn has ended. */
    z.strictObject({ type: z.literal("commit"), ...id }),
    /** Audio since the last turn is taken back. */
    z.strictObject({ type: z.literal("clear"), ...id }),
    z.strictObject({
      type: z.literal("text"),
      ...id,
      text: z.string().min(1).max(MAX_FRAME_TEXT_CHARACTERS),
    }),
    /** A picture, which goes with the next turn or text. */
    z.strictObject({
      type: z.literal("image"),
      ...id,
      media_type: z.string().regex(/^image\/(?!svg)[a-z0-9.+-]+$/, "must be that of a picture"),
      // Read where it is stored: an expression on megabytes costs more than that.
      data: z.string().min(1).max(MAX_VOICE_TEXT_FRAME_BYTES),
    }),
    z.strictObject({
      type: z.literal("confirm"),
      ...id,
      reply_id: replyId,
      confirm_results: z.array(PostedConfirmResultSchema).min(1).max(MAX_ANSWERED_CALLS),
      metadata: PostedConfirmationSchema.shape.metadata.optional(),
    }),
    z.strictObject({
      type: z.literal("external_result"),
      ...id,
      reply_id: replyId,
      execution_results: z.array(PostedResultSchema).min(1).max(MAX_ANSWERED_CALLS),
      metadata: PostedConfirmationSchema.shape.metadata.optional(),
    }),
    z.strictObject({ type: z.literal("interrupt"), ...id, reply_id: replyId.optional() }),
    /** Milliseconds of an item that the client has played: all of it, or until it was cleared. */
    z.strictObject({ type: z.literal("played"), ...id, item, ms }),
  ])
  .meta({ id: "ClientFrame" });
export type ClientFrame = z.infer<typeof ClientFrameSchema>;
export type ClientFrameInput = z.input<typeof ClientFrameSchema>;
export type StartFrameInput = z.input<typeof StartFrameSchema>;

const limits = z.object({
  /** Bytes of a text frame, and of a binary one. */
  text_bytes: z.number().int(),
  audio_bytes: z.number().int(),
  /** Milliseconds of audio that may be sent ahead of time. */
  audio_ahead_ms: z.number().int(),
  /** Milliseconds of one turn of the user. */
  turn_ms: z.number().int(),
  /** Milliseconds between two `played`, at most. */
  played_every_ms: z.number().int(),
  /** Seconds of the connection that are left, and of silence until the provider's is let go. */
  seconds: z.number().int(),
  idle_seconds: z.number().int(),
});
const wireFormat = z.object({ rate: z.number().int() });

/** An event of the log; `id` in its place in another dialect. */
const event = z.object({
  type: z.literal("event"),
  seq: z.number().int(),
  event: AgentEventSchema,
});
const error = z.object({
  type: z.literal("error"),
  code: ProblemSchema.shape.code,
  detail: z.string(),
  /** The `id` of the frame that it is about. */
  ref: z.string().optional(),
});

/** Frames that a voice connection is sent. @public */
export const ServerFrameSchema = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("started"),
      /** The position in the log from which events come. */
      cursor: CursorSchema,
      input: wireFormat,
      output: wireFormat,
      turns: DetectionSchema,
      audio: EncodingSchema,
      limits,
    }),
    event,
    z.object({ type: z.literal("audio"), item, ms, audio: z.string() }),
    /** All of the item's audio has been sent: so many milliseconds. */
    z.object({ type: z.literal("audio_end"), item, ms }),
    /** The rest of the item is thrown away; the client says what it has played. */
    z.object({ type: z.literal("audio_clear"), item }),
    error,
  ])
  .meta({ id: "ServerFrame" });
export type ServerFrame = z.infer<typeof ServerFrameSchema>;
export type StartedFrame = Extract<ServerFrame, { type: "started" }>;

/** Frames that a reader of events is sent: `id` with the events of other dialects. @public */
export const ReaderFrameSchema = z
  .union([
    event,
    z.object({
      type: z.literal("event"),
      /** The position of a frame of the stream, null for one without. */
      id: z.string().nullable(),
      event: z.unknown(),
    }),
    error,
  ])
  .meta({ id: "ReaderFrame" });

/** A frame behind the first of a person in a room that speaks. */
export const RoomClientFrameSchema = z
  .discriminatedUnion("type", [
    ClientFrameSchema,
    /** All that is said ends, and so do the connections. */
    z.strictObject({ type: z.literal("stop"), ...id }),
  ])
  .meta({ id: "RoomClientFrame" });
export type RoomClientFrame = z.infer<typeof RoomClientFrameSchema>;

const participant = z.string();

/** Frames that a room has of its own. */
const OwnFrameSchema = z.discriminatedUnion("type", [
  /** An agent can be heard. */
  z.object({ type: z.literal("agent_ready"), participant }),
  /** An agent cannot be heard from now on: its turns are text until it is ready again. */
  z.object({ type: z.literal("agent_ended"), participant, reason: z.string() }),
  /** The audio under this number is of that agent. */
  z.object({
    type: z.literal("item"),
    item,
    participant,
    reply_id: z.string(),
  }),
  /** Somebody else speaks: audio is not heard until they have ended. */
  z.object({ type: z.literal("floor_taken"), participant }),
]);
export type RoomOwnFrame = z.infer<typeof OwnFrameSchema>;

/** Frames that a person in a room is sent. @public */
export const RoomFrameSchema = z
  .discriminatedUnion("type", [ServerFrameSchema, OwnFrameSchema])
  .meta({ id: "RoomFrame" });
export type RoomFrame = z.infer<typeof RoomFrameSchema>;

// JSON frames of a voice connection to a room: those of a session's, and what only rooms have.
import * as z from "zod";

import { ClientFrameSchema, ServerFrameSchema } from "../voice/frames.ts";
import { MAX_FRAME_ID_CHARACTERS, MAX_ITEM } from "../voice/limits.ts";

/** A frame of a person behind the first. */
export const RoomClientFrameSchema = z
  .union([
    ClientFrameSchema,
    /** All that is said ends, and so do the connections. */
    z.strictObject({
      type: z.literal("stop"),
      id: z.string().min(1).max(MAX_FRAME_ID_CHARACTERS).optional(),
    }),
  ])
  .meta({ id: "RoomClientFrame" });
export type RoomClientFrame = z.infer<typeof RoomClientFrameSchema>;

const participant = z.string();

/** Frames that a room has of its own. */
const OwnFrameSchema = z.discriminatedUnion("type", [
  /** An agent can be heard. */
  z.object({ type: z.literal("agent_ready"), participant }),
  /** It cannot, from now on: its turns are text until it is ready again. */
  z.object({ type: z.literal("agent_ended"), participant, reason: z.string() }),
  /** Audio of an agent follows. */
  z.object({
    type: z.literal("item"),
    item: z.number().int().min(1).max(MAX_ITEM),
    participant,
    reply_id: z.string(),
  }),
  /** Somebody else speaks: audio is not heard until they have ended. */
  z.object({ type: z.literal("floor_taken"), participant }),
]);
export type RoomOwnFrame = z.infer<typeof OwnFrameSchema>;

/** Frames that a person in a room is sent. @public */
export const RoomFrameSchema = z
  .union([ServerFrameSchema, OwnFrameSchema])
  .meta({ id: "RoomFrame" });
export type RoomFrame = z.infer<typeof RoomFrameSchema>;

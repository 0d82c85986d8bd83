// Export and import of a room: what was said, and each agent's state by its participant's name.
import * as z from "zod";

import { MsgSchema } from "../messages/messages.ts";
import { CursorSchema } from "../schemas/common.ts";
import {
  AgentStateInputSchema,
  AgentStateSchema,
  StateMessageSchema,
} from "../sessions/session-state.ts";
import { MAX_STATE_MESSAGES } from "../sessions/limits.ts";
import { ParticipantNameSchema } from "./participants.ts";

export const RoomStateExportSchema = z
  .object({
    room_id: z.string(),
    /** The position of the room's stream that it is of. */
    cursor: CursorSchema,
    /** Oldest first, `name` being the speaker. */
    messages: z.array(MsgSchema),
    /** Whether older messages were left out. */
    messages_truncated: z.boolean(),
    /** By the names of the participants, as AgentScope's sessions of several agents have them. */
    agents: z.record(z.string(), AgentStateSchema),
  })
  .meta({ id: "RoomState", description: "A room with the state of each of its agents, by name." });
export type RoomStateExport = z.infer<typeof RoomStateExportSchema>;

export const RoomStateInputSchema = z
  .strictObject({
    room_id: z.unknown().optional(),
    cursor: z.unknown().optional(),
    messages: z.array(StateMessageSchema).max(MAX_STATE_MESSAGES).default([]),
    messages_truncated: z.unknown().optional(),
    /** Exactly the agents of the room: a name more or less is refused. */
    agents: z.record(ParticipantNameSchema, AgentStateInputSchema),
  })
  .meta({ id: "RoomStateInput", description: "A room's state, as an export has it." });
export type RoomStateInput = z.infer<typeof RoomStateInputSchema>;

export const RoomStateQuerySchema = z.strictObject({
  /** `true` takes the place of what is there; with `If-Match` alone. */
  replace: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .default(false),
});

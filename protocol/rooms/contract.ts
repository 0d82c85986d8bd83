// Rooms: several agents and people in one conversation.
import * as z from "zod";

import { AgentVersionChoiceSchema } from "../agents/agent-version-choice.ts";
import type { Frozen } from "../messages/frozen.ts";
import { PendingCallSchema } from "../replies/contract.ts";
import {
  CursorSchema,
  MetadataSchema,
  pageOf,
  PageQuerySchema,
  TimestampSchema,
} from "../schemas/common.ts";
import { TitleSchema } from "../sessions/contract.ts";
import { WarningSchema } from "../warning.ts";
import {
  DEFAULT_ROOM_ROUNDS,
  MAX_ANNOUNCEMENT_CHARACTERS,
  MAX_ROOM_PARTICIPANTS,
  MAX_ROOM_ROUNDS,
  MAX_ROOM_TIME_MS,
  MAX_ROOM_TOKENS,
  MAX_TURN_TIME_MS,
  MIN_ROOM_TIME_MS,
} from "./limits.ts";
import { ParticipantInputSchema, RoomParticipantSchema } from "./participants.ts";
import { RoomVoiceSchema } from "./voice.ts";

const rounds = z.number().int().min(1).max(MAX_ROOM_ROUNDS);

/** The agent that says who speaks next. It takes no part in what is said. @public */
export const ModeratorSchema = z.strictObject({
  agent_id: z.string().min(1).max(64),
  agent_version: AgentVersionChoiceSchema.optional(),
});

/** The order in which participants have their turns. @public */
export const RoomTurnsSchema = z
  .discriminatedUnion("order", [
    /** One after the other, in the order of the participants. */
    z.strictObject({ order: z.literal("sequential"), rounds: rounds.default(1) }),
    /** All at once; they are told what the others have said when the round ends. */
    z.strictObject({ order: z.literal("parallel"), rounds: rounds.default(1) }),
    /** By mention: a turn for each whom a message names. */
    z.strictObject({ order: z.literal("mentioned") }),
    z.strictObject({ order: z.literal("moderated"), moderator: ModeratorSchema }),
  ])
  .meta({ id: "RoomTurns", description: "Who speaks when." });
export type RoomTurns = z.infer<typeof RoomTurnsSchema>;

const bounds = {
  /** Rounds of one discussion. */
  max_rounds: rounds.default(DEFAULT_ROOM_ROUNDS),
  /** Tokens of one discussion, input and output of all agents; null for no bound of its own, as with those below. */
  max_tokens: z.number().int().min(1).max(MAX_ROOM_TOKENS).nullable().default(null),
  max_ms: z.number().int().min(MIN_ROOM_TIME_MS).max(MAX_ROOM_TIME_MS).nullable().default(null),
  /** Of one turn, with the time that it waits for people. */
  turn_timeout_ms: z
    .number()
    .int()
    .min(MIN_ROOM_TIME_MS)
    .max(MAX_TURN_TIME_MS)
    .nullable()
    .default(null),
};

export const RoomCreateSchema = z
  .strictObject({
    participants: z
      .array(ParticipantInputSchema)
      .min(1)
      .max(MAX_ROOM_PARTICIPANTS)
      .superRefine((participants, context) => {
        const seen = new Set<string>();
        for (const [index, { name }] of participants.entries()) {
          if (seen.has(name)) {
            const message = "two participants have the same name";
            context.addIssue({ code: "custom", path: [index, "name"], message });
          }
          seen.add(name);
        }
      })
      .refine((participants) => participants.some(({ kind }) => kind === "agent"), {
        message: "a room has one agent at least",
      }),
    turns: RoomTurnsSchema.default({ order: "sequential", rounds: 1 }),
    /** The first message of the room, which each agent is given. */
    announcement: z.string().min(1).max(MAX_ANNOUNCEMENT_CHARACTERS).optional(),
    ...bounds,
    /** A room that speaks: its agents have voices, and people connect to it. */
    voice: RoomVoiceSchema.optional(),
    title: TitleSchema.optional(),
    metadata: MetadataSchema.default({}),
  })
  .superRefine(({ voice, turns }, context) => {
    if (!voice || turns.order !== "parallel") return;
    const message = "in a room that speaks one has the floor at a time: choose another order";
    context.addIssue({ code: "custom", path: ["turns", "order"], message });
  })
  .meta({ id: "RoomCreate" });
export type RoomCreate = z.infer<typeof RoomCreateSchema>;

/** Members that are left out stay unchanged; bounds hold from the next step of a discussion on. */
export const RoomUpdateSchema = z
  .strictObject({
    title: TitleSchema.nullable().optional(),
    metadata: MetadataSchema.optional(),
    max_rounds: bounds.max_rounds.unwrap().optional(),
    max_tokens: bounds.max_tokens.unwrap().optional(),
    max_ms: bounds.max_ms.unwrap().optional(),
    turn_timeout_ms: bounds.turn_timeout_ms.unwrap().optional(),
  })
  .meta({ id: "RoomUpdate", description: "What is left out stays." });

export const RoomListQuerySchema = PageQuerySchema.extend({
  /** Rooms in which this agent takes part. */
  agent_id: z.string().max(64).optional(),
  /** Rooms in which this end user takes part. */
  end_user_id: z.string().max(200).optional(),
});

/** A room in a list: what the registry has of it. @public */
export const RoomSummarySchema = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    /** Participants who have not left. */
    participants: z.array(
      RoomParticipantSchema.pick({
        name: true,
        kind: true,
        agent_id: true,
        session_id: true,
        end_user_id: true,
      }),
    ),
    turns: RoomTurnsSchema,
    created_at: TimestampSchema,
  })
  .meta({ id: "RoomSummary", description: "A room in a list." });
export interface RoomSummary extends Frozen<z.infer<typeof RoomSummarySchema>> {}
export const RoomPageSchema = pageOf(RoomSummarySchema).meta({ id: "RoomPage" });
export interface RoomPage extends Frozen<z.infer<typeof RoomPageSchema>> {}

/** The reason for which a discussion has ended. @public */
export const DiscussionEndSchema = z.enum([
  "completed",
  "max_rounds",
  "max_tokens",
  "timeout",
  "interrupted",
  "moderator_failed",
]);

/** A call of a participant's agent that waits for an answer. @public */
export const RoomPendingCallSchema = PendingCallSchema.extend({
  participant: z.string(),
  session_id: z.string(),
  /** The reply that waits, which an answer names. */
  reply_id: z.string(),
}).meta({ id: "RoomPendingCall", description: "A tool call in a room that waits for an answer." });
export interface RoomPendingCall extends Frozen<z.infer<typeof RoomPendingCallSchema>> {}

/** A person's turn that the room waits for. @public */
export const RoomInputRequestSchema = z
  .object({
    /** The id of the turn. */
    id: z.string(),
    participant: z.string(),
    /** Null where a text is asked for. */
    form: z.record(z.string(), z.unknown()).nullable(),
    asked_at: TimestampSchema,
    expires_at: TimestampSchema.nullable(),
  })
  .meta({ id: "RoomInputRequest", description: "A person's turn for which the room waits." });
export interface RoomInputRequest extends Frozen<z.infer<typeof RoomInputRequestSchema>> {}

/** The same in the list of all rooms. @public */
export const ListedRoomInputSchema = RoomInputRequestSchema.extend({
  room_id: z.string(),
  /** Null for a person whom the tenant has not named. */
  end_user_id: z.string().nullable(),
}).meta({ id: "ListedRoomInput", description: "A person's turn for which some room waits." });
export interface ListedRoomInput extends Frozen<z.infer<typeof ListedRoomInputSchema>> {}
export const RoomInputPageSchema = pageOf(ListedRoomInputSchema).meta({ id: "RoomInputPage" });

export const RoomInputListQuerySchema = PageQuerySchema.extend({
  room_id: z.string().max(64).optional(),
  end_user_id: z.string().max(200).optional(),
});

export const RoomSchema = RoomSummarySchema.omit({ participants: true })
  .extend({
    /** In the order of their turns, those who have left among them. */
    participants: z.array(RoomParticipantSchema),
    announcement: z.string().nullable(),
    max_rounds: z.number().int(),
    max_tokens: z.number().int().nullable(),
    max_ms: z.number().int().nullable(),
    turn_timeout_ms: z.number().int().nullable(),
    /** Null for a room in writing. */
    voice: RoomVoiceSchema.nullable(),
    /** `waiting`: nothing runs, and a person is waited for. */
    status: z.enum(["idle", "running", "waiting"]),
    /** Of the discussion that goes on, from 1; 0 while none does. */
    round: z.number().int().nonnegative(),
    pending: z.array(RoomPendingCallSchema),
    input_requests: z.array(RoomInputRequestSchema),
    /** Null before the first discussion has ended. */
    last_end: z.object({ reason: DiscussionEndSchema, at: TimestampSchema }).nullable(),
    /** The last position of the room's stream that is visible. */
    cursor: CursorSchema,
  })
  .meta({ id: "Room", description: "Several agents and people in one conversation, now." });
export interface Room extends Frozen<z.infer<typeof RoomSchema>> {}

/** The answer to a write. */
export const WrittenRoomSchema = RoomSchema.extend({
  /** Left out when there are none. */
  warnings: z.array(WarningSchema).optional(),
}).meta({ id: "WrittenRoom", description: "A room as a write has left it." });
export interface WrittenRoom extends Frozen<z.infer<typeof WrittenRoomSchema>> {}

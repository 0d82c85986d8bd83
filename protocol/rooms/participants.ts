// Participants of a room: agents, each with a session of its own, and people.
import * as z from "zod";

import { AgentVersionChoiceSchema } from "../agents/agent-version-choice.ts";
import { MAX_END_USER_ID_CHARACTERS } from "../end-users/limits.ts";
import type { Frozen } from "../messages/frozen.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import {
  MAX_PARTICIPANT_NAME_CHARACTERS,
  MAX_PERSON_FORM_BYTES,
  MAX_TURN_TIME_MS,
  MIN_ROOM_TIME_MS,
} from "./limits.ts";

const NAME = new RegExp(`^[\\p{L}\\p{N}_-]{1,${MAX_PARTICIPANT_NAME_CHARACTERS}}$`, "u");

/** Names of messages of the room itself, and of the moderator's events. */
const RESERVED: ReadonlySet<string> = new Set(["room", "moderator"]);

/** The one name that is no member of an object like any other: a state by names would lose it. */
const NO_MEMBER = "__proto__";

/**
 * A participant's name, by which others mention it: no spaces, so that its end is known in a text. In one form of Unicode, so that
 * two names that look the same are the same.
 */
export const ParticipantNameSchema = z
  .string()
  .normalize("NFC")
  .regex(
    NAME,
    `a participant's name has 1 to ${MAX_PARTICIPANT_NAME_CHARACTERS} letters, digits, _ and -`,
  )
  .refine((name) => !RESERVED.has(name), {
    message: "`room` and `moderator` are names of the platform's own messages",
  })
  .refine((name) => name !== NO_MEMBER, { message: `no participant can be ${NO_MEMBER}` });

const agentId = z.string().min(1).max(64);

/** A flat object of primitive values, as JSON Schema: what a person is asked for in place of a text. */
const FormSchema = z
  .record(z.string(), z.json())
  .refine((form) => utf8Bytes(JSON.stringify(form)) <= MAX_PERSON_FORM_BYTES, {
    message: `a form may take ${MAX_PERSON_FORM_BYTES} bytes as JSON at most`,
  });

/** @public */
export const AgentParticipantInputSchema = z
  .strictObject({
    name: ParticipantNameSchema,
    kind: z.literal("agent").default("agent"),
    agent_id: agentId,
    /** When left out, the agent's current version, fixed for the room's lifetime. */
    agent_version: AgentVersionChoiceSchema.optional(),
  })
  .meta({ id: "RoomAgentInput", description: "An agent that takes part." });

/** @public */
export const PersonParticipantInputSchema = z
  .strictObject({
    name: ParticipantNameSchema,
    kind: z.literal("person"),
    /** Has turns of its own, for which the room waits. */
    awaited: z.boolean().default(false),
    form: FormSchema.nullable().optional(),
    input_timeout_ms: z.number().int().min(MIN_ROOM_TIME_MS).max(MAX_TURN_TIME_MS).optional(),
    /** The tenant's id of the person. */
    end_user_id: z.string().min(1).max(MAX_END_USER_ID_CHARACTERS).optional(),
  })
  .refine(({ awaited, form }) => awaited || form === undefined || form === null, {
    path: ["form"],
    message: "a form is for a person who is awaited",
  })
  .meta({ id: "RoomPersonInput", description: "A person who takes part." });

export const ParticipantInputSchema = z.union([
  AgentParticipantInputSchema,
  PersonParticipantInputSchema,
]);
export type ParticipantInput = z.infer<typeof ParticipantInputSchema>;

/** A participant who joins a room that is there. */
export const ParticipantCreateSchema = z
  .strictObject({
    participant: ParticipantInputSchema,
    /** The part of what was said before that an agent who joins is told. */
    history: z.enum(["all", "none"]).default("all"),
  })
  .meta({ id: "RoomParticipantCreate", description: "A participant who joins." });
export type ParticipantCreate = z.infer<typeof ParticipantCreateSchema>;

/** @public */
export const ParticipantStatusSchema = z.enum(["idle", "running", "waiting", "left"]);

export const RoomParticipantSchema = z
  .object({
    name: z.string(),
    kind: z.enum(["agent", "person"]),
    /** Null for a person, as are the version and the session. */
    agent_id: z.string().nullable(),
    agent_version: z.number().int().positive().nullable(),
    session_id: z.string().nullable(),
    /** Null for an agent. */
    end_user_id: z.string().nullable(),
    awaited: z.boolean(),
    form: z.record(z.string(), z.unknown()).nullable(),
    input_timeout_ms: z.number().int().nullable(),
    joined_at: TimestampSchema,
    left_at: TimestampSchema.nullable(),
    status: ParticipantStatusSchema,
  })
  .meta({ id: "RoomParticipant", description: "An agent or a person of a room." });
export interface RoomParticipant extends Frozen<z.infer<typeof RoomParticipantSchema>> {}

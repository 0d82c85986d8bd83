// Client tokens of a room: as a session's, for one participant or for a reader.
import * as z from "zod";

import {
  ClientTokenCreateSchema,
  ClientTokenSchema,
  type Verb,
  VERB_SCOPES,
} from "../client-tokens/contract.ts";
import type { Scope } from "../keys/contract.ts";
import { pageOf } from "../schemas/common.ts";
import { ParticipantNameSchema } from "./participants.ts";

/** Verbs that mean something in a room: files are the tenant's, and memories those of an agent and its own end user. @public */
export const RoomVerbSchema = z
  .enum(["read", "reply", "confirm", "edit", "tool_result", "interrupt", "speak"])
  .meta({ id: "RoomVerb", only: "answer", description: "What a client token of a room may do." });
export type RoomVerb = Extract<Verb, z.infer<typeof RoomVerbSchema>>;

const ROOM_SCOPES: Partial<Record<RoomVerb, Scope>> = {
  read: "rooms:read",
  reply: "rooms:write",
  interrupt: "rooms:write",
  speak: "rooms:write",
};

/** The scope that the maker of a token with this verb needs. */
export function scopeOfRoomVerb(verb: RoomVerb): Scope {
  return ROOM_SCOPES[verb] ?? VERB_SCOPES[verb];
}

export const RoomTokenCreateSchema = z
  .strictObject({
    ...ClientTokenCreateSchema.shape,
    verbs: z
      .array(RoomVerbSchema)
      .min(1)
      .max(RoomVerbSchema.options.length)
      .default(["read", "reply", "interrupt"]),
    /** The person as whom it speaks. Without one it cannot have the verbs `reply` and `speak`. */
    participant: ParticipantNameSchema.optional(),
  })
  .meta({ id: "RoomTokenCreate", description: "A token for one room." });

const shape = {
  room_id: z.string(),
  /** Null for one that speaks as nobody. */
  participant: z.string().nullable(),
  verbs: z.array(RoomVerbSchema),
};

export const RoomTokenSchema = ClientTokenSchema.omit({ session_id: true })
  .extend({ ...shape, key_id: z.string() })
  .meta({ id: "RoomToken", description: "The one answer that shows a room's client token." });
export type RoomToken = z.infer<typeof RoomTokenSchema>;

export const MintedRoomTokenSchema = RoomTokenSchema.omit({ token: true }).meta({
  id: "MintedRoomToken",
  description: "A room's client token without its plain text.",
});
export type MintedRoomToken = z.infer<typeof MintedRoomTokenSchema>;
export const RoomTokenPageSchema = pageOf(MintedRoomTokenSchema).meta({ id: "RoomTokenPage" });

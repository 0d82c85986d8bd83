// Calls of a room's object to the sessions of its participants. Types only; the acts are in `acts/rooms.ts`.
import type { WrittenEvent } from "../../agent/json/complete-answer.ts";
import type { Result } from "../../protocol/errors.ts";
import type { EventReceipt } from "../../protocol/events/contract.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { InputMessage, ReplyStatus } from "../../protocol/replies/contract.ts";
import type { SessionTeamValue } from "../../protocol/rooms/events.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import type { AgentStateInput } from "../../protocol/sessions/session-state.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { RoomCall } from "./room-api.ts";
import type { Actor, Once, SessionApi, SessionInit } from "./session-api.ts";

/** A turn of a participant, in its session. Repeatable: the same turn is the same reply. */
export interface StartRoomTurn {
  readonly turn_id: string;
  /** Messages of others that the participant has not got, oldest first, with their ids in the room. */
  readonly messages: readonly InputMessage[];
  /** The room as its agent is told of it. */
  readonly team: SessionTeamValue;
  /** The one end user of the room, whose memories are recalled; null where there are several. */
  readonly end_user_id: string | null;
  readonly share?: EndUserShareChange;
  /** Of a moderator's turn. */
  readonly structured_schema?: JsonSchema;
}

export interface StartedRoomTurn {
  readonly reply_id: string;
}

export interface ReadRoomEvents {
  readonly after: number;
  /** Milliseconds to wait for something new while a reply runs; 0 returns at once. */
  readonly wait_ms: number;
}

/** A part of a participant's log, as its room has it. */
export interface RoomEvents {
  readonly events: readonly LoggedEvent[];
  /** The position behind the last event that was read. */
  readonly cursor: number;
  /** The last turns that have begun there, each with its reply. */
  readonly turns: NonNullable<NonNullable<SessionInit["room"]>["turns"]>;
  /** There is more on disk. */
  readonly has_more: boolean;
  /** The newest reply's state at `cursor`; null before the first. */
  readonly reply: { readonly id: string; readonly status: ReplyStatus } | null;
  /** The first source of untrusted content that its model was sent; null for none. */
  readonly untrusted: UntrustedSource | null;
  /** A background task has ended, which a turn has to begin with. */
  readonly is_woken: boolean;
}

/** Messages of others, as {@link StartRoomTurn} has them. */
export interface RoomDelivery {
  readonly messages: readonly InputMessage[];
}

/** Of a participant's session, for its room. Acts are in `acts/rooms.ts`. */
export interface ParticipantApi extends Pick<SessionApi, "create" | "listed" | "remove"> {
  act(
    name: "startRoomTurn",
    payload: StartRoomTurn,
    options?: { readonly trace?: TraceContext | undefined },
  ): Promise<Result<StartedRoomTurn>>;
  act(name: "endRoomTurn", payload: { readonly turn_id: string }): Promise<Result<null>>;
  act(name: "readRoomEvents", payload: ReadRoomEvents): Promise<Result<RoomEvents>>;
  /** These stand in place of the messages with their ids. */
  act(
    name: "redactFromRoom",
    payload: { readonly messages: readonly Msg[] },
  ): Promise<Result<null>>;
  act(name: "deliverFromRoom", payload: RoomDelivery): Promise<Result<null>>;
  act(
    name: "importFromRoom",
    payload: { readonly state: AgentStateInput; readonly actor: Actor },
  ): Promise<Result<null>>;
  act(name: "read"): Promise<Result<Session>>;
  act(name: "postEvent", payload: WrittenEvent, options: RoomCall): Promise<Once<EventReceipt>>;
  /** JSON of any size, and voice connections, as a session's. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

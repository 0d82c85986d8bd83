// The RPC interface of a room's object. Types only, but for the name of the object. Streams and values of any size go over
// `fetch`, as a session's do: `STREAM_URL` with the query of `parseStreamRequest` (`follow=session` stays open between
// discussions), and `readUrl` with `events`, `messages`, `message` or `state`; both answer as a session's object does.
import type { WrittenEvent } from "../../agent/json/complete-answer.ts";
import type { ClientTokenRecord } from "../../protocol/client-tokens/contract.ts";
import type { Result } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { Room, RoomTurns } from "../../protocol/rooms/contract.ts";
import type {
  RoomEventReceipt,
  RoomInput,
  RoomInputReceipt,
  RoomInterrupt,
  RoomInterruptResult,
  RoomMessageCreate,
  RoomMessageReceipt,
} from "../../protocol/rooms/conversation.ts";
import type { ParticipantCreate, ParticipantInput } from "../../protocol/rooms/participants.ts";
import type { RoomStateInput } from "../../protocol/rooms/room-state.ts";
import type { RoomVoice } from "../../protocol/rooms/voice.ts";
import type { MintedRoomToken, RoomVerb } from "../../protocol/rooms/room-tokens.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { PageRequest } from "./page-requests.ts";
import type { Actor, Idempotency, Once } from "./session-api.ts";
import type { TenantNotification } from "./tenant-api.ts";
import type { TriggeredRoomApi } from "./triggered-room-api.ts";

/** Bounds of one discussion, and of one turn; null for none. */
interface RoomBounds {
  readonly max_rounds: number;
  readonly max_tokens: number | null;
  readonly max_ms: number | null;
  readonly turn_timeout_ms: number | null;
}

/** A room as it is opened. Its row in D1 is written before, so that whoever erases finds it. */
export interface RoomInit {
  readonly room_id: string;
  readonly tenant_id: string;
  readonly created_at: string;
  readonly title: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly participants: readonly ParticipantInput[];
  readonly turns: RoomTurns;
  readonly announcement: string | null;
  readonly bounds: RoomBounds;
  /** Left out for a room in writing. */
  readonly voice?: RoomVoice | undefined;
  /** `https://host` of the request, as a session's. */
  readonly origin?: string | undefined;
}

export interface RoomPatch {
  readonly title?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly bounds?: Partial<RoomBounds>;
}

export interface RoomCall {
  readonly actor: Actor;
  readonly trace?: TraceContext | undefined;
  /** Handed to the session of an answer; a message's own id makes it one. */
  readonly idempotency?: Idempotency | undefined;
}

/** With the name of who speaks, where a token binds it. */
/** Of what was spoken; no request has one. */
interface SpokenUsage {
  readonly usage?: Msg["usage"] | undefined;
}

export type PostRoomMessage = Partial<RoomMessageCreate> &
  Pick<RoomMessageCreate, "content"> &
  SpokenUsage;
export type PostRoomInput = Partial<RoomInput> &
  SpokenUsage & {
    /** Of an answer that was spoken; no request has it. */
    readonly metadata?: RoomMessageCreate["metadata"] | undefined;
  };

export interface RoomTokenRecord extends Omit<ClientTokenRecord, "verbs"> {
  readonly verbs: readonly RoomVerb[];
  /** The person as whom it speaks; null for nobody. */
  readonly participant: string | null;
}

export interface RoomNote {
  readonly session_id: string;
  /** Of the session's log, up to which it tells of: a room that has that already has nothing to do. All when left out. */
  readonly seq?: number | undefined;
}

export interface PutRoomState {
  readonly state: RoomStateInput;
  /** In place of what is there; without it the room has to be without messages. */
  readonly is_replacing: boolean;
  /** Cursors of `If-Match`; any when left out. */
  readonly if_cursors?: readonly number[] | undefined;
}

export interface RoomApi extends TriggeredRoomApi {
  /**
   * Idempotent for the same init. Opens the participants' sessions, each of which counts in the quotas as any other: when one is
   * refused, nothing is left of the room, and the caller deletes its row.
   */
  create(init: RoomInit): Promise<Result<Room>>;
  read(): Promise<Result<Room>>;
  update(patch: RoomPatch): Promise<Result<Room>>;
  /** Ends what runs, deletes the sessions of the participants with their rows, and erases the object. Repeatable. */
  remove(): Promise<Result<null>>;
  /** Resolves when the message is durable; the discussion then goes on whether somebody reads it or not. */
  postMessage(message: PostRoomMessage, call: RoomCall): Promise<Result<RoomMessageReceipt>>;
  /** An answer to an agent's call, which the session with this reply is given. */
  postEvent(event: WrittenEvent, call: RoomCall): Promise<Once<RoomEventReceipt>>;
  /** Resolves when the end is durable, or takes long. */
  interrupt(interrupt: RoomInterrupt): Promise<Result<RoomInterruptResult>>;
  addParticipant(added: ParticipantCreate): Promise<Result<Room>>;
  removeParticipant(name: string): Promise<Result<Room>>;
  /** @param call Left out by a Worker of before it. */
  postInput(input: PostRoomInput, call?: RoomCall): Promise<Result<RoomInputReceipt>>;
  addToken(token: RoomTokenRecord): Promise<Result<RoomTokenRecord>>;
  listTokens(request: PageRequest): Promise<Result<Page<MintedRoomToken>>>;
  revokeToken(tokenId: string): Promise<Result<null>>;
  /** False for a client token that was revoked, has expired or was never minted here. */
  admitsToken(tokenId: string): Promise<boolean>;
  putState(put: PutRoomState, call: RoomCall): Promise<Result<Room>>;
  /** Redacts the messages of this end user's participants, in the room and in the participants' sessions. Repeatable. */
  eraseEndUser(endUserId: string): Promise<Result<null>>;
  /** As a session's: streams and discussions may have to end. */
  notify(notification: TenantNotification): Promise<void>;
  /** Of a participant's session: something has changed there, so the room looks. Nothing depends on it. */
  noteRoom(note: RoomNote): Promise<void>;
}

/** The name of a room's object: tenant and room together, so that another tenant's id finds nothing. */
export function roomObjectName(tenantId: string, roomId: string): string {
  return `${tenantId}:${roomId}`;
}

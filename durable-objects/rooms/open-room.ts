// An open room as its acts get it: log, tables, state, and the engine that does what is due.
import type { RoomState } from "../../agent/rooms/room-state.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Result } from "../../protocol/errors.ts";
import type { Transcript } from "../../model/voice/cascade/ports.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { RoomInit } from "../api/room-api.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { Subscribers } from "../streams/subscribers.ts";
import type { MessageTable } from "../tables/message-table.ts";
import type { TokenTable } from "../tables/token-table.ts";
import type { RoomReplies } from "./room-replies.ts";
import type { RoomTable } from "./room-table.ts";
import type { SpeechUsage } from "./speech-usage.ts";
import type { TriggeredMessages } from "./triggered-messages.ts";

/** The floor of a room that speaks. */
export interface RoomFloor {
  /** Whether no turn may begin: somebody is heard. */
  readonly isTaken: boolean;
  /** Before an agent's turn begins. Contract: never rejects, and takes seconds at most. */
  prepare(participant: string): Promise<void>;
  /** An event of the room's log, as it is appended. Must not append. */
  logged(event: LoggedEvent): void;
}

export interface OpenRoom {
  readonly env: Env;
  readonly init: RoomInit;
  readonly table: RoomTable;
  readonly messages: MessageTable;
  readonly tokens: TokenTable;
  readonly triggered: TriggeredMessages;
  readonly speechUsage: SpeechUsage;
  readonly log: SessionLog;
  readonly subscribers: Subscribers;
  readonly replies: RoomReplies;
  /** The fold of all that is written. */
  readonly state: RoomState;
  /** Bound: it may be passed as a function. */
  readonly newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  readonly sync: () => Promise<void>;
  readonly transaction: <Value>(write: () => Value) => Value;
  readonly inBackground: (work: Promise<unknown>) => void;
  /** Before bytes are stored that a request has brought. */
  readonly admitBytes: (
    bytes: number,
    share: EndUserShareChange | undefined,
  ) => Promise<Result<unknown>>;
  /** Lets a person's words be written down as far as the tenant's quotas allow it, in which the tokens of that count. */
  readonly withinQuotas: (write: () => Promise<Transcript>) => Promise<Result<Transcript>>;
  /** Tells D1 how large the room is, where it has grown since. Contract: never rejects; it is told with the next growth. */
  readonly reportSize: () => Promise<void>;
  /** Puts these in place of the messages with their ids, in one transaction. */
  readonly redact: (messages: readonly Msg[]) => void;
  /** Spare sessions that a request is about to use; in memory, as the request is. */
  readonly held: Set<string>;
  /** Does what is due, in the background. */
  readonly kick: () => void;
  /** Null while nobody is connected to it. */
  readonly floor: RoomFloor | null;
  /** Sets the alarm for the next look. */
  readonly arm: () => void;
  /** Copies once what is on disk there. Rejects when the session cannot be reached. */
  readonly copy: (name: string) => Promise<void>;
  /** Copies what a participant's session has, in the background. */
  readonly note: (name: string) => void;
}

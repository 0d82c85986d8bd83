// The calls by which a trigger's object speaks in a room. Types only.
import type { FollowedMessage } from "../../agent/rooms/follow-message.ts";
import type { Result } from "../../protocol/errors.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";

/** A message of a trigger, which is said as the room's own. */
export interface TriggeredMessage {
  readonly trigger_id: string;
  /** Made from the run's id: what is repeated is the same message. */
  readonly id: string;
  readonly content: InputMessage["content"];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly mentions: readonly string[];
}

/** The discussion of a trigger's message, as far as it has come. */
export interface TriggeredDiscussion {
  readonly message: FollowedMessage;
  /** All that is open in the room waits for people. */
  readonly is_waiting: boolean;
}

export interface TriggeredRoomApi {
  /** Resolves when the message is durable; its discussion goes on by itself. */
  postTriggered(message: TriggeredMessage): Promise<Result<TriggeredDiscussion>>;
  /** Refuses with `conflict` for a message that no trigger has said in this room. */
  readTriggered(messageId: string): Promise<Result<TriggeredDiscussion>>;
}

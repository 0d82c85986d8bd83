// The restore of a session on the wire. No zod: the fold is in clients.
import type { AgentEvent } from "../events.ts";

/** The `name` of the `CUSTOM` event with which a session goes on from another state than its log has led to. */
export const SESSION_RESTORED = "session_restored";

/** Behind it come, in the same commit, the states of abilities that are others now, and the messages that were added. */
export interface SessionRestoredValue {
  /** The position of the log whose state it is; left out for a state that a client has sent. */
  readonly cursor?: number;
  /** The last message that stayed: those behind it are not in the conversation any more. Null when none has stayed. */
  readonly last_message_id: string | null;
  /** The number of `message_added` that follow, which are the rest of the conversation. */
  readonly added_messages: number;
}

/** Null when the event is no restore. */
export function sessionRestoredOf(event: AgentEvent): SessionRestoredValue | null {
  if (event.type !== "CUSTOM" || event.name !== SESSION_RESTORED) return null;
  // The platform alone writes it, so its shape is known.
  return event.value as unknown as SessionRestoredValue;
}

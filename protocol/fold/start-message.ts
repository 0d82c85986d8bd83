import type { EventOf } from "../events.ts";
import type { Msg } from "../messages/messages.ts";

/** The empty message that `REPLY_START` opens. */
export function startMessage(event: EventOf<"REPLY_START">): Msg {
  return {
    name: event.name,
    content: [],
    role: event.role,
    id: event.reply_id,
    metadata: {},
    created_at: event.created_at,
    usage: null,
    finished_at: null,
    finished_reason: null,
    structured_output: null,
    error: null,
  };
}

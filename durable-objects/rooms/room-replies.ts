// The messages of replies that participants have open: folded from the room's log, so that a reply that ends has its message
// in the commit of its end.
import { appendEvent, startMessage } from "../../protocol/fold/append-event.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { participantOf } from "../../protocol/rooms/events.ts";

export class RoomReplies {
  readonly #messages = new Map<string, Msg>();

  /** Called for every event of the log, in order. */
  logged(event: LoggedEvent): void {
    const speaker = participantOf(event);
    const replyId = replyIdOf(event);
    if (speaker === null || replyId === null) return;
    if (event.type === "REPLY_START") {
      this.#messages.set(replyId, startMessage(event));
      return;
    }
    const message = this.#messages.get(replyId);
    if (message) this.#messages.set(replyId, appendEvent(message, event));
  }

  find(replyId: string): Msg | null {
    return this.#messages.get(replyId) ?? null;
  }

  /** The message of a reply that has ended. */
  take(replyId: string): Msg | null {
    const message = this.find(replyId);
    this.#messages.delete(replyId);
    return message;
  }
}

function replyIdOf(event: LoggedEvent): string | null {
  const id = event.type === "CUSTOM" ? (event.reply_id ?? event.value["reply_id"]) : event.reply_id;
  return typeof id === "string" ? id : null;
}

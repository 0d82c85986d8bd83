import { appendEvent, startMessage } from "../../fold/append-event.ts";
import type { AgentEvent, EventOf } from "../../events.ts";
import type { Msg } from "../../messages/messages.ts";

export type TextDelta = EventOf<
  "TEXT_BLOCK_DELTA" | "THINKING_BLOCK_DELTA" | "TOOL_CALL_DELTA" | "TOOL_RESULT_TEXT_DELTA"
>;

/** A reply's message, folded lazily: consecutive deltas are merged and cost one fold. */
export class ReplyFold {
  #message: Msg;
  #delta: TextDelta | null = null;

  constructor(start: EventOf<"REPLY_START">) {
    this.#message = startMessage(start);
  }

  get message(): Msg {
    if (this.#delta) {
      const delta = this.#delta;
      this.#delta = null;
      this.#message = appendEvent(this.#message, delta);
    }
    return this.#message;
  }

  pushDelta(event: TextDelta): void {
    const last = this.#delta;
    if (last?.type === event.type && targetOf(last) === targetOf(event)) {
      // A private copy: the log's event must not change.
      last.delta += event.delta;
      return;
    }
    this.#message = this.message;
    this.#delta = { ...event };
  }

  push(event: AgentEvent): void {
    this.#message = appendEvent(this.message, event);
  }
}

function targetOf(event: TextDelta): string {
  return "block_id" in event ? event.block_id : event.tool_call_id;
}

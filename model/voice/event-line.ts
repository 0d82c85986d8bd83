// The events of a provider connection on their way to its owner: one after the other, in order, never within the call that
// has caused them, and none once the connection is closed.
import type { VoiceModelEvent } from "../../agent/voice/voice-model.ts";

export class EventLine {
  readonly #onEvent: (event: VoiceModelEvent) => void;
  #waiting: VoiceModelEvent[] = [];
  #isClosed = false;

  constructor(onEvent: (event: VoiceModelEvent) => void) {
    this.#onEvent = onEvent;
  }

  tell(event: VoiceModelEvent): void {
    if (this.#isClosed) return;
    this.#waiting.push(event);
    if (this.#waiting.length === 1) queueMicrotask(() => this.#deliver());
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  #deliver(): void {
    for (let at = 0; at < this.#waiting.length; at += 1) {
      const event = this.#waiting[at];
      if (event) this.#onEvent(event);
    }
    this.#waiting = [];
  }
}

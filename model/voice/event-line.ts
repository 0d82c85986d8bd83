// The events of a provider connection on their way to its owner: one after the other, in order, never within the call that
// has caused them, and none once the connection is closed.
import type { VoiceModelEvent } from "../../agent/voice/voice-model.ts";

export class EventLine {
  readonly #onEvent: (event: VoiceModelEvent) => void;
  #waiting: VoiceModelEvent[] = [];
  #isDue = false;
  #isClosed = false;

  constructor(onEvent: (event: VoiceModelEvent) => void) {
    this.#onEvent = onEvent;
  }

  tell(event: VoiceModelEvent): void {
    if (this.#isClosed) return;
    this.#waiting.push(event);
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  #schedule(): void {
    if (this.#isDue || this.#waiting.length === 0) return;
    this.#isDue = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    let told = 0;
    try {
      for (let event = this.#waiting[told]; event; event = this.#waiting[told]) {
        told += 1;
        this.#onEvent(event);
      }
    } finally {
      // An owner that has failed at one event is told of the others.
      this.#waiting = this.#waiting.slice(told);
      this.#isDue = false;
      this.#schedule();
    }
  }
}

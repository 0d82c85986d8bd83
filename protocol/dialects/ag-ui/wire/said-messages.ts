import { MAX_SHOWN_CHARACTERS } from "../../../limits/ag-ui.ts";
import type { Msg } from "../../../messages/messages.ts";

interface SaidMessage {
  readonly message: Msg;
  readonly characters: number;
}

/** The messages added since a run began, limited to the newest that fit into one event. */
export class SaidMessages {
  #said: SaidMessage[] = [];
  #characters = 0;

  get all(): readonly Msg[] {
    return this.#said.map(({ message }) => message);
  }

  add(message: Msg): void {
    const { length: characters } = JSON.stringify(message);
    this.#said.push({ message, characters });
    this.#characters += characters;
    while (this.#characters > MAX_SHOWN_CHARACTERS && this.#said.length > 1) {
      this.#characters -= this.#said.shift()?.characters ?? 0;
    }
  }

  clear(): void {
    this.#said = [];
    this.#characters = 0;
  }
}

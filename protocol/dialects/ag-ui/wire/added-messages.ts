import { MAX_SHOWN_CHARACTERS } from "../../../ag-ui/limits.ts";
import type { Msg } from "../../../messages/messages.ts";

interface AddedMessage {
  readonly message: Msg;
  readonly characters: number;
}

/** The messages added since a run began, limited to the newest that fit into one event. */
export class AddedMessages {
  #added: AddedMessage[] = [];
  #characters = 0;

  get all(): readonly Msg[] {
    return this.#added.map(({ message }) => message);
  }

  add(message: Msg): void {
    const { length: characters } = JSON.stringify(message);
    this.#added.push({ message, characters });
    this.#characters += characters;
    while (this.#characters > MAX_SHOWN_CHARACTERS && this.#added.length > 1) {
      this.#characters -= this.#added.shift()?.characters ?? 0;
    }
  }

  clear(): void {
    this.#added = [];
    this.#characters = 0;
  }
}

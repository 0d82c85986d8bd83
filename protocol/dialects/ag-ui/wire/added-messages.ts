import { MAX_SHOWN_CHARACTERS } from "../../../ag-ui/limits.ts";
import { appendSpeech } from "../../../fold/append-speech.ts";
import type { Msg } from "../../../messages/messages.ts";
import type { SpeechChange } from "../../../voice/events.ts";

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

  /** Whether the change was of one of them. */
  change(speech: SpeechChange): boolean {
    const index = this.#added.findIndex(({ message }) => message.id === speech.message_id);
    const known = this.#added[index];
    if (!known) return false;
    const message = appendSpeech(known.message, speech);
    const { length: characters } = JSON.stringify(message);
    this.#added[index] = { message, characters };
    this.#characters += characters - known.characters;
    return true;
  }

  clear(): void {
    this.#added = [];
    this.#characters = 0;
  }
}

// Words of a participant's session to its room, whose client it is: the room alone knows who else is heard.
import type { VoiceEffect } from "../../agent/voice/engine/voice-effect.ts";
import type { VoiceInput } from "../../agent/voice/engine/voice-input.ts";
import type { VoiceState } from "../../agent/voice/engine/voice-state.ts";
import type { RoomLineFrame } from "../api/room-voice.ts";

interface WordsOptions {
  readonly send: (frame: RoomLineFrame) => void;
  /** Resolves when all acts until now are on disk. Contract: never rejects. */
  readonly settled: () => Promise<void>;
  readonly inBackground: (work: Promise<unknown>) => void;
}

export class RoomWords {
  readonly #options: WordsOptions;
  #item: number | null = null;
  /** Replies of which a model call is being said. */
  #said: ReadonlySet<string> = new Set();
  #isCutting = false;

  constructor(options: WordsOptions) {
    this.#options = options;
  }

  /** An effect that is about to be performed, in the state behind its step. */
  watch(effect: VoiceEffect, state: VoiceState): void {
    if (effect.type === "truncate" || effect.type === "said") return this.#tellSettled("changed");
    if (effect.type !== "send_audio" || effect.item === this.#item) return;
    this.#item = effect.item;
    const reply_id = replyOf(state, effect.item);
    if (reply_id !== null) this.#options.send({ type: "item", item: effect.item, reply_id });
  }

  /** The engine has taken these inputs, and their effects are performed. */
  settle(inputs: readonly Pick<VoiceInput, "type">[], state: VoiceState): void {
    const said = saidNow(state);
    for (const reply_id of said) {
      if (!this.#said.has(reply_id)) this.#options.send({ type: "reply_began", reply_id });
    }
    for (const reply_id of this.#said) {
      if (!said.has(reply_id)) this.#options.send({ type: "reply_said", reply_id });
    }
    this.#said = said;
    if (inputs.some(({ type }) => type === "cut_in")) this.#isCutting = true;
    if (!this.#isCutting || state.calls.some(({ cut }) => cut !== null)) return;
    this.#isCutting = false;
    this.#tellSettled("cut_settled");
  }

  #tellSettled(type: "changed" | "cut_settled"): void {
    const { settled, send, inBackground } = this.#options;
    // Behind the act of this effect, which is not begun yet.
    const told = Promise.resolve()
      .then(() => settled())
      .then(() => send({ type }));
    inBackground(told);
  }
}

/** Its call may not be in the log yet: then it is of the reply that was begun last. */
function replyOf({ calls, reply, spoken }: VoiceState, number: number): string | null {
  const call = calls.find(({ items }) => items.some(({ item }) => item === number));
  return call?.reply_id ?? reply?.reply_id ?? spoken.at(-1) ?? null;
}

function saidNow({ calls, reply, spoken }: VoiceState): ReadonlySet<string> {
  const open = calls.filter(({ is_done, is_written, cut }) => !(is_done && is_written) && !cut);
  const ids = open.flatMap(({ reply_id }) => reply_id ?? []);
  if (reply?.is_call_open && spoken.includes(reply.reply_id)) ids.push(reply.reply_id);
  return new Set(ids);
}

// The user's audio on its way to the provider, and the names of the turns in it: the provider's own, or, where it does not
// find turns, those of turns that are found here and given to it whole.
import type { VoiceModelEvent, VoiceSetup } from "../../../agent/voice/voice-model.ts";
import { encodeBase64 } from "../../../protocol/base64.ts";
import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import { HeardTurns, type HeardAudio } from "../heard-turns.ts";
import { SilentProvider } from "../realtime/silent-provider.ts";
import type { SocketLimits } from "../realtime/socket-limits.ts";
import type { WireIds } from "../realtime/wire-ids.ts";

interface InputOptions {
  readonly setup: VoiceSetup;
  readonly findsTurns: boolean;
  readonly ids: WireIds;
  readonly tell: (event: VoiceModelEvent) => void;
  readonly send: (kind: "append" | "commit" | "clear" | "ask", frame: object) => void;
  readonly limits: Partial<SocketLimits>;
  /** The provider hears nothing any more, and has not closed its socket. */
  readonly lost: () => void;
}

/** Turns whose names are remembered: transcripts come within seconds. */
const MAX_TURNS = 64;

export class OpenAiInput {
  readonly #options: InputOptions;
  readonly #turns: HeardTurns | null;
  /** Watches providers that find the turns. */
  readonly #silence: SilentProvider | null;
  /** Turns that the provider has been given and has not named yet. */
  #unnamed: string[] = [];
  /** Ours by the provider's. */
  readonly #named = new Map<string, string>();

  constructor(options: InputOptions) {
    const { setup, findsTurns, tell, send, limits, lost } = options;
    this.#options = options;
    this.#silence =
      findsTurns && setup.turns
        ? new SilentProvider({
            turns: setup.turns,
            rate: setup.rates.input,
            limits,
            // Of a session that is changed in nothing it says how it is.
            ask: () => send("ask", { type: "session.update", session: { type: "realtime" } }),
            lost,
          })
        : null;
    this.#turns = findsTurns
      ? null
      : new HeardTurns({
          turns: setup.turns,
          rate: setup.rates.input,
          tell,
          hear: (audio) => this.#hear(audio),
        });
  }

  append(pcm: Uint8Array): void {
    if (this.#turns) return this.#turns.append(pcm);
    this.#send(pcm);
    this.#silence?.append(pcm);
  }

  /** A frame of the provider's has come, whatever it says. */
  noteFrame(): void {
    this.#silence?.note();
  }

  commit(): void {
    if (this.#turns) this.#turns.commit();
    else this.#options.send("commit", { type: "input_audio_buffer.commit" });
  }

  clear(): void {
    if (this.#turns) this.#turns.clear();
    else this.#options.send("clear", { type: "input_audio_buffer.clear" });
  }

  /** An event about the user's speech, as the provider tells it. */
  take(event: Extract<VoiceModelEvent, { type: "input_started" | "input_done" }>): void {
    const item_id = this.idOf(event.item_id);
    if (!this.#turns) this.#options.tell({ ...event, item_id });
    else if (event.type === "input_done") this.#name(event.item_id);
  }

  /** The session's id of a turn, by the provider's. */
  idOf(wireId: string): string {
    return this.#named.get(wireId) ?? this.#options.ids.own(wireId);
  }

  /** The provider has refused a commit. @returns The turn that it has not heard; null for none. */
  refuseCommit(): string | null {
    return this.#unnamed.shift() ?? null;
  }

  close(): void {
    this.#turns?.clear();
    this.#silence?.note();
  }

  #hear({ item_id, pcm }: HeardAudio): void {
    const pieceBytes = this.#options.setup.rates.input * SAMPLE_BYTES;
    for (let at = 0; at < pcm.byteLength; at += pieceBytes) {
      this.#send(pcm.subarray(at, at + pieceBytes));
    }
    this.#unnamed = [...this.#unnamed, item_id].slice(-MAX_TURNS);
    this.#options.send("commit", { type: "input_audio_buffer.commit" });
  }

  #name(wireId: string): void {
    const item_id = this.#unnamed.shift();
    if (item_id === undefined) return;
    this.#named.set(wireId, item_id);
    const [oldest] = this.#named.keys();
    if (this.#named.size > MAX_TURNS && oldest !== undefined) this.#named.delete(oldest);
  }

  #send(pcm: Uint8Array): void {
    const audio = encodeBase64(pcm);
    this.#options.send("append", { type: "input_audio_buffer.append", audio });
  }
}

// Audio that an agent keeps: what the user says in a turn and what is heard of each model call become files of the session, which
// their messages name. Only in memory until then: audio of a machine that is lost is lost.
import type { VoiceEffect } from "../../agent/voice/engine/voice-effect.ts";
import type { VoiceState } from "../../agent/voice/engine/voice-state.ts";
import { KEPT_BEFORE_MS, MAX_KEPT_BYTES, MAX_KEPT_FILES } from "../../agent/voice/limits.ts";
import type { AudioRates } from "../../agent/voice/voice-model.ts";
import { wavFile } from "../../agent/voice/wav-file.ts";
import type { ErrorCode } from "../../protocol/errors.ts";
import { KEPT_AUDIO, SPEECH_KEPT } from "../../protocol/voice/events.ts";
import { MAX_TURN_AUDIO_MS, SAMPLE_BYTES } from "../../protocol/voice/limits.ts";
import type { MadeMediaStore } from "../settings/made-media.ts";
import { AudioPieces } from "./audio-pieces.ts";
import type { KeptChange, VoiceActs } from "./voice-acts.ts";

interface KeeperOptions {
  readonly media: MadeMediaStore;
  /** The model's rates, which the files have. */
  readonly rates: AudioRates;
  readonly inBackground: (work: Promise<unknown>) => void;
  /** As {@link VoiceActs.keep}. */
  readonly keep: VoiceActs["keep"];
  readonly failed: (code: ErrorCode, detail: string) => void;
}

/** A turn of the user: the bytes of what its provider connection has heard. */
interface Place {
  readonly item: number;
  readonly start_ms: number;
  readonly end_ms: number;
}

/** Audio of an item of the agent. */
interface SaidAudio {
  readonly pieces: AudioPieces;
  /** There was no room for a part of it: it ends there, as what comes behind a gap would be at another moment. */
  isCut: boolean;
}

export class AudioKeeper {
  readonly #options: KeeperOptions;
  /** Audio that the provider connection has heard, as far back as a turn may begin. */
  #heard = new AudioPieces();
  /** Turns without a message yet, and items of the agent that are not over. By the numbers of their items. */
  readonly #turns = new Map<number, AudioPieces>();
  readonly #said = new Map<number, SaidAudio>();
  /** Files of the newest messages, by their ids. */
  readonly #files = new Map<string, number>();
  /** Bytes of those, and of what is being stored. */
  #bytes = 0;
  #isFull = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** A step of the engine, before its effects are performed. @param pcm The audio of its input. */
  watch(state: VoiceState, effects: readonly VoiceEffect[], pcm: Uint8Array | null): void {
    for (const effect of effects) this.#take(effect, pcm);
    // A reply that is held back has its turn's audio now, as the provider may be another one by then.
    for (const { message } of state.held) if (message.type === "speech") this.#endTurn(message);
    this.#forget(state);
  }

  /** The turn's message has its id. */
  placed(item: number, message_id: string): void {
    const pieces = this.#turns.get(item);
    if (!pieces) return;
    this.#turns.delete(item);
    this.#store(pieces, this.#options.rates.input, { message_id });
  }

  #take(effect: VoiceEffect, pcm: Uint8Array | null): void {
    switch (effect.type) {
      case "provider":
        if (effect.command.type === "open" || effect.command.type === "close") {
          this.#heard = new AudioPieces();
        }
        if (effect.command.type === "append" && pcm) this.#heard.push(pcm);
        return;
      case "place_message":
        return this.#endTurn(effect);
      case "begin_reply":
        return effect.message.type === "speech" ? this.#endTurn(effect.message) : undefined;
      case "send_audio":
        return this.#say(effect.item, effect.audio);
      case "item_over":
        return this.#end(effect);
      default:
        return;
    }
  }

  #endTurn({ item, start_ms, end_ms }: Place): void {
    if (this.#turns.has(item)) return;
    const perMs = bytesPerMs(this.#options.rates.input);
    const start = Math.round(start_ms) * perMs;
    const end = Math.min(Math.round(end_ms), Math.round(start_ms) + MAX_TURN_AUDIO_MS) * perMs;
    const pieces = this.#heard.cut(start, end);
    if (!this.#admit(pieces.byteLength)) return;
    this.#turns.set(item, pieces);
  }

  #say(item: number, audio: Uint8Array): void {
    const said = this.#said.get(item) ?? { pieces: new AudioPieces(), isCut: false };
    this.#said.set(item, said);
    const { pieces, isCut } = said;
    const mostBytes = MAX_TURN_AUDIO_MS * bytesPerMs(this.#options.rates.output);
    const part = audio.subarray(0, mostBytes - pieces.byteLength);
    if (isCut || part.byteLength === 0) return;
    if (this.#admit(part.byteLength)) pieces.push(part);
    else said.isCut = true;
  }

  #end({ item, heard_ms, of }: Extract<VoiceEffect, { type: "item_over" }>): void {
    const pieces = this.#said.get(item)?.pieces;
    if (!pieces) return;
    this.#said.delete(item);
    const { output } = this.#options.rates;
    const heard = pieces.cut(0, Math.ceil(heard_ms) * bytesPerMs(output));
    this.#bytes -= pieces.byteLength - heard.byteLength;
    if (of && this.#countFile(of.message_id)) this.#store(heard, output, of);
    else this.#bytes -= heard.byteLength;
  }

  /** Whether the message may have one file more. */
  #countFile(messageId: string): boolean {
    const files = this.#files.get(messageId) ?? 0;
    this.#files.delete(messageId);
    this.#files.set(messageId, files + 1);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_COUNTED_MESSAGES && oldest !== undefined) this.#files.delete(oldest);
    if (files === MAX_KEPT_FILES) this.#options.failed("unavailable", TOO_MANY);
    return files < MAX_KEPT_FILES;
  }

  /** Whether there is room for so much more. The client is told once of each time that there is none. */
  #admit(bytes: number): boolean {
    // The oldest turns go first: those that the session has refused wait here, as no act tells of them.
    for (const [item, { byteLength }] of this.#turns) {
      if (this.#bytes + bytes <= MAX_KEPT_BYTES) break;
      this.#turns.delete(item);
      this.#bytes -= byteLength;
    }
    const isFull = this.#bytes + bytes > MAX_KEPT_BYTES;
    if (isFull && !this.#isFull) this.#options.failed("unavailable", FULL);
    this.#isFull = isFull;
    if (!isFull) this.#bytes += bytes;
    return !isFull;
  }

  #store(pieces: AudioPieces, rate: number, of: Pick<KeptChange, "message_id" | "block_id">): void {
    const { byteLength } = pieces;
    if (byteLength === 0) return;
    const ms = Math.round(byteLength / bytesPerMs(rate));
    const stored = this.#keep(wavFile(pieces.list(), rate), { ...of, ms })
      .catch((error: unknown) => {
        console.error("audio of a voice connection was not kept", { error: String(error) });
      })
      .finally(() => {
        this.#bytes -= byteLength;
      });
    this.#options.inBackground(stored);
  }

  async #keep(file: Uint8Array, of: Omit<KeptChange, "name" | "url">): Promise<void> {
    const { media, keep, failed } = this.#options;
    const kept = await media.keepBytes(file, "audio/wav");
    if (!kept.ok) {
      const isQuota = kept.loss === "quota";
      return failed(isQuota ? "quota_exceeded" : "unavailable", isQuota ? NO_ROOM : LOST);
    }
    const isNamed = await keep({ name: SPEECH_KEPT, ...of, url: kept.url });
    const audio = [{ url: kept.url, ms: of.ms }];
    if (isNamed) await media.confirm({ content: [], metadata: { [KEPT_AUDIO]: audio } });
  }

  /** Lets go of audio that no turn can need any more. */
  #forget({ speech, provider, client }: VoiceState): void {
    const { turned_ms, given_ms } = provider;
    const isManual = client?.turns === "manual";
    const quietMs = isManual ? turned_ms : Math.max(turned_ms, given_ms - KEPT_BEFORE_MS);
    const neededMs = Math.max(
      speech?.start_ms ?? quietMs,
      given_ms - MAX_TURN_AUDIO_MS - KEPT_BEFORE_MS,
    );
    this.#heard.forget(Math.floor(neededMs) * bytesPerMs(this.#options.rates.input));
  }
}

/** Messages whose files are counted: one is said, and some of which something is still to be heard. */
const MAX_COUNTED_MESSAGES = 16;

const TOO_MANY = `audio is not kept: a message has ${MAX_KEPT_FILES} files of it at most`;
const NO_ROOM = "audio was not kept: it does not fit into a quota of the tenant";
const LOST = "audio was not kept: it could not be stored";
const FULL = "audio is not kept: too much of it is still being stored";

function bytesPerMs(rate: number): number {
  return (rate / 1_000) * SAMPLE_BYTES;
}

// Plays a voice connection against the engine, without anything around it.
import { advance, openVoice } from "../../../agent/voice/engine/advance.ts";
import type { VoiceEffect } from "../../../agent/voice/engine/voice-effect.ts";
import type { VoiceInput } from "../../../agent/voice/engine/voice-input.ts";
import type { VoiceEngineSettings, VoiceState } from "../../../agent/voice/engine/voice-state.ts";
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import type { AgentEvent, LoggedEvent } from "../../../protocol/events.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";

const RATE = 8_000;
/** Bytes of a millisecond. */
const MS_BYTES = 16;

const SETTINGS: VoiceEngineSettings = {
  mode: "realtime",
  rates: { input: RATE, output: RATE },
  truncation: "explicit",
  idle_ms: 30_000,
  keeps_audio: false,
};

export type Input = VoiceInput extends infer One
  ? One extends { readonly now: number }
    ? Omit<One, "now">
    : never
  : never;

/** Members of an event that the engine reads. */
type Logged = AgentEvent extends infer One
  ? One extends { readonly type: string }
    ? Pick<One, "type"> & Partial<One>
    : never
  : never;

export class VoicePlay {
  state: VoiceState;
  now = 1_000;
  /** All effects so far, but for `schedule`. */
  readonly all: VoiceEffect[] = [];

  constructor(settings: Partial<VoiceEngineSettings> = {}, replyId: string | null = null) {
    this.state = deepFreeze(openVoice({ ...SETTINGS, ...settings }, replyId));
  }

  /** The effects of the inputs, but for `schedule`. */
  tell(...inputs: readonly Input[]): readonly VoiceEffect[] {
    return inputs.flatMap((input) => {
      const { state, effects } = advance(this.state, { ...input, now: this.now } as VoiceInput);
      this.state = deepFreeze(state);
      const told = effects.filter(({ type }) => type !== "schedule");
      this.all.push(...told);
      return told;
    });
  }

  model(...events: readonly VoiceModelEvent[]): readonly VoiceEffect[] {
    return this.tell(...events.map((event) => ({ type: "model", event }) as const));
  }

  log(...events: readonly Logged[]): readonly VoiceEffect[] {
    return this.tell(
      ...events.map((event) => ({ type: "logged", event: event as LoggedEvent }) as const),
    );
  }

  /** Time passes; what is scheduled within it is played. */
  wait(ms: number): readonly VoiceEffect[] {
    const endMs = this.now + ms;
    const effects: VoiceEffect[] = [];
    for (let ticks = 0; ticks < 100; ticks += 1) {
      const atMs = this.state.scheduled_ms;
      if (atMs === null || atMs > endMs) break;
      this.now = Math.max(this.now, atMs);
      effects.push(...this.tell({ type: "tick" }));
    }
    this.now = endMs;
    return effects;
  }

  /** A client is there, and the provider. */
  open(turns: "server" | "manual" = "server"): this {
    this.tell(
      { type: "client_opened", turns },
      { type: "provider_wanted" },
      { type: "provider_opened" },
    );
    return this;
  }

  /** The user has said something of so many milliseconds. */
  speak(item_id: string, ms = 1_000): readonly VoiceEffect[] {
    const { given_ms } = this.state.provider;
    return [
      ...this.tell({ type: "audio", ms: ms / 2 }),
      ...this.model({ type: "input_started", item_id, audio_start_ms: given_ms }),
      ...this.tell({ type: "audio", ms: ms / 2 }),
      ...this.model({ type: "input_done", item_id, audio_end_ms: given_ms + ms }),
    ];
  }

  /** The session has begun the reply of a turn, whose model is called. */
  begin(turn: number, reply_id: string): readonly VoiceEffect[] {
    return [
      ...this.log({ type: "REPLY_START", reply_id }),
      ...this.tell({ type: "reply_begun", turn, reply_id, message_id: `msg_${turn}` }),
      ...this.log({ type: "MODEL_CALL_START", reply_id }),
    ];
  }

  /** The agent says something in an item of its own, each word with so many milliseconds of audio. */
  say(reply_id: string, text: string, wordMs = 400): readonly VoiceEffect[] {
    const response_id = `resp_${reply_id}`;
    const ids = { response_id, item_id: `item_${reply_id}` };
    const block = { reply_id, block_id: `blk_${reply_id}` };
    const words = text.match(/\s*\S+/g) ?? [];
    return [
      ...this.model({ type: "response_created", response_id }),
      ...this.log({ type: "TEXT_BLOCK_START", ...block }),
      ...words.flatMap((delta) => [
        ...this.model({ type: "response_audio_transcript_delta", ...ids, delta }),
        ...this.log({ type: "TEXT_BLOCK_DELTA", ...block, delta }),
        ...this.model({ type: "response_audio_delta", ...ids, audio: audioOf(wordMs) }),
      ]),
    ];
  }

  /** The model call ends, and with it what is said. */
  endCall(reply_id: string): readonly VoiceEffect[] {
    const response_id = `resp_${reply_id}`;
    return [
      ...this.model(
        { type: "response_audio_done", response_id, item_id: `item_${reply_id}` },
        { type: "response_done", response_id, status: "completed", usage: null },
      ),
      ...this.log({ type: "MODEL_CALL_END", reply_id }),
    ];
  }

  endReply(reply_id: string): readonly VoiceEffect[] {
    return this.log({ type: "REPLY_END", reply_id });
  }
}

export function audioOf(ms: number): Uint8Array {
  return new Uint8Array(Math.round(ms * MS_BYTES));
}

/** Effects of some kinds, without the audio itself. */
export function only(
  effects: readonly VoiceEffect[],
  ...types: readonly VoiceEffect["type"][]
): readonly unknown[] {
  return effects
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .map((effect) =>
      effect.type === "send_audio" ? { ...effect, audio: effect.audio.byteLength } : effect,
    );
}

/** Codes of the errors that the client was told. */
export function errorsOf(effects: readonly VoiceEffect[]): readonly string[] {
  return effects.flatMap((effect) =>
    effect.type === "send" && effect.frame.type === "error" ? [effect.frame.code] : [],
  );
}

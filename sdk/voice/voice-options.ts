// The options that an app gives when a session speaks, and the events that it gets.
import type {
  PostedConfirmationSchema,
  PostedExecutionSchema,
} from "../../protocol/events/contract.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { RoomFrame } from "../../protocol/voice/frames.ts";
import type { AudioFrame } from "../../protocol/voice/audio-frame.ts";
import type { InputOf } from "../transport/input-of.ts";

/** The state of the connection, as that of streams. */
export type VoiceState = "connecting" | "open" | "reconnecting" | "closed";

/** As in a session; `participant` is the person who speaks, where the room has several and the token does not say. */
export interface RoomSpeakOptions extends SpeakOptions {
  readonly participant?: string;
}

export interface SpeakOptions {
  /** The audio that you append. Rates are 8,000, 16,000 (default), 24,000 and 48,000 Hz. */
  readonly input?: { readonly rate: number };
  /** The audio that you get; default 24,000 Hz. */
  readonly output?: { readonly rate: number };
  /** `manual`: you end each turn with `commit()`. As the agent says when left out. */
  readonly turns?: "server" | "manual";
  /** Events after this seq come first; from now on when left out. */
  readonly after?: number;
  /** Plays the agent's audio; then what was heard is told to the platform as well. */
  readonly player?: VoicePlayer;
  /** Ends the connection, as `close()` does. */
  readonly signal?: AbortSignal;
}

/** A loudspeaker with a clock. */
export interface VoicePlayer {
  /** Milliseconds of the loudspeaker's clock: what is heard now. */
  nowMs(): number;
  /** @param startsAtMs When the first sample is to be heard. */
  play(pcm: Uint8Array, startsAtMs: number, item: number): void;
  /** Nothing more of this item is to be heard. */
  stop(item: number): void;
}

/** Audio of the agent: `pcm` are samples of 16 bits, little-endian, one channel. */
export type VoiceAudio = AudioFrame;

type FrameOf<Type extends RoomFrame["type"]> = Omit<Extract<RoomFrame, { type: Type }>, "type">;

/** The platform's word on a connection: its formats and limits, and the seq from which events come. */
export type VoiceStart = FrameOf<"started">;

/** Its `id` comes back as the `ref` of an error. */
export interface FrameOptions {
  readonly id?: string;
}

type AnswerOf<Event> = Omit<Event, "type"> & { readonly type?: string };

/** An answer that `confirmEvent` makes. */
export type CallConfirmation = AnswerOf<InputOf<typeof PostedConfirmationSchema>>;

/** An answer that `toolResultEvent` makes. */
export type CallResults = AnswerOf<InputOf<typeof PostedExecutionSchema>>;

/** Something that the platform could not do; the connection goes on. `ref` is the `id` of the frame that it is about. */
export type VoiceError = FrameOf<"error">;

/** The events of a voice connection, by name. */
export interface VoiceEvents {
  readonly audio: VoiceAudio;
  /** Every event of the session once and in order, over lost connections too. */
  readonly event: LoggedEvent;
  /** All of the item's audio has come. */
  readonly audio_end: FrameOf<"audio_end">;
  /** The rest of the item is not to be heard: say with `played` how much was, which a `player` does. */
  readonly audio_clear: FrameOf<"audio_clear">;
  /** In a room: the audio that follows under this number is of that agent. */
  readonly item: FrameOf<"item">;
  /** In a room: an agent can be heard; it cannot, from now on; somebody else speaks. */
  readonly agent_ready: FrameOf<"agent_ready">;
  readonly agent_ended: FrameOf<"agent_ended">;
  readonly floor_taken: FrameOf<"floor_taken">;
  readonly error: VoiceError;
  readonly state: VoiceState;
}

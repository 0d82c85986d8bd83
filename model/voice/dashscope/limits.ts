// Limits of connections to Qwen-Omni's realtime server. Each with its unit and its reason.

/** Characters of the conversation that the instructions tell: half of what the smaller models read. */
export const MAX_TOLD_CHARACTERS = 40_000;
/** Milliseconds of waiting. */
export interface DashScopeWaits {
  /** In which the server begins a response by itself, before it is asked for one. */
  readonly ownResponseMs: number;
  /** In which a cancelled response has to end. */
  readonly cancelMs: number;
  /** That a response waits for the reply that it belongs to. */
  readonly unclaimedMs: number;
  /** Without audio in the middle of a turn, behind which the turn is over. */
  readonly stalledTurnMs: number;
  /** Without audio, behind which some silence is sent. */
  readonly keepAliveMs: number;
}

export const WAITS: DashScopeWaits = {
  /** Its detection has ended the turn already: it answers within a second. */
  ownResponseMs: 4_000,
  /** Some models never say that a cancelled response has ended. */
  cancelMs: 5_000,
  /** One that comes later is asked for anew. */
  unclaimedMs: 20_000,
  /** The server hears no end without audio. */
  stalledTurnMs: 1_500,
  /** The server closes an idle connection after three minutes, and pings are none. */
  keepAliveMs: 60_000,
};

/** Bytes of a response: five minutes of audio, as much as is sent to a client that plays nothing. */
export const MAX_RESPONSE_BYTES = 14_400_000;
/** Bytes that each frame of a response counts as, beside its content: a flood of empty ones ends, too. */
export const FRAME_BYTES = 100;
/** Items and calls of a response: those of one answer are a handful. */
export const MAX_RESPONSE_ITEMS = 64;
/** Characters of an id of the server: its own have some thirty. */
export const MAX_ID_CHARACTERS = 200;
/** Turns of the user whose ids are known: a transcript comes within seconds. */
export const MAX_HEARD_ITEMS = 32;
/** Milliseconds of silence beyond what ends a turn: the server looks at the loudness of whole frames. */
export const EXTRA_SILENCE_MS = 300;
/** Milliseconds of the silence that keeps a connection alive. */
export const KEEP_ALIVE_SILENCE_MS = 100;
/** Milliseconds of silence that end a turn, at least: the server refuses less. */
export const LEAST_SILENCE_MS = 200;
/** Characters of a picture in base64: the server refuses more. */
export const MAX_PICTURE_CHARACTERS = 262_144;
/** Milliseconds between two pictures: the server takes one a second. */
export const PICTURE_EVERY_MS = 1_000;

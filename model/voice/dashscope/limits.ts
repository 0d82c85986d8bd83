// Limits of connections to Qwen-Omni's realtime server. Each with its unit and its reason.

/** Characters of the conversation that the instructions tell: half of what the smaller models read. */
export const MAX_TOLD_CHARACTERS = 40_000;
/** Milliseconds in which the server begins a response by itself, before it is asked for one. */
export const OWN_RESPONSE_MS = 4_000;
/** Milliseconds in which a cancelled response has to end: some models never say that it has. */
export const CANCEL_MS = 5_000;
/** Milliseconds that a response waits for the reply that it belongs to: one that comes later is asked for anew. */
export const UNCLAIMED_MS = 20_000;
/** Bytes of a response: five minutes of audio, as much as is sent to a client that plays nothing. */
export const MAX_RESPONSE_BYTES = 14_400_000;
/** Bytes that each frame of a response counts as, beside its content: a flood of empty ones ends, too. */
export const FRAME_BYTES = 100;
/** Items and calls of a response: those of one answer are a handful. */
export const MAX_RESPONSE_ITEMS = 64;
/** Turns of the user whose ids are known: a transcript comes within seconds. */
export const MAX_HEARD_ITEMS = 32;
/** Milliseconds of silence from the microphone in the middle of a turn, behind which the turn is over: the server hears no end without audio. */
export const STALLED_TURN_MS = 1_500;
/** Milliseconds of silence beyond what ends a turn: the server looks at the loudness of whole frames. */
export const EXTRA_SILENCE_MS = 300;
/** Milliseconds without audio, behind which some silence is sent: the server closes an idle connection after three minutes, and pings are none. */
export const KEEP_ALIVE_MS = 60_000;
/** Milliseconds of that silence. */
export const KEEP_ALIVE_SILENCE_MS = 100;
/** Milliseconds of silence that end a turn, at least: the server refuses less. */
export const LEAST_SILENCE_MS = 200;
/** Characters of a picture in base64: the server refuses more. */
export const MAX_PICTURE_CHARACTERS = 262_144;
/** Milliseconds between two pictures: the server takes one a second. */
export const PICTURE_EVERY_MS = 1_000;

// Limits of connections to Gemini Live. Each with its unit and its reason.

/** Milliseconds that a handle of a session is good for: two hours by Google's documents, less the time to open a socket. */
export const HANDLE_MS = 7_100_000;
/** Characters of a handle: those of Google have some hundred. */
export const MAX_HANDLE_CHARACTERS = 8_192;
/** Milliseconds before the announced end at which a connection is left that is still in use. */
export const LEAVE_EARLY_MS = 2_000;
/** Milliseconds of an announcement, at most: connections last ten minutes. */
export const MAX_LEAVE_MS = 600_000;

/** Milliseconds after a turn's end in which the last piece of its transcript may come: it has no order with the end. */
export const LATE_TEXT_MS = 300;
/** Milliseconds after all of a response was generated in which its turn has to end: the server may wait while it is played. */
export const GENERATED_MS = 2_000;
/** Milliseconds after a call in which further ones, and the count of tokens, belong to the same response. */
export const CALLS_MS = 150;
/** Milliseconds after activity of the user in which the server has to end what it says. */
export const INTERRUPT_MS = 2_000;
/** Milliseconds without a further piece after which the transcript of a turn that has ended is whole. */
export const TRANSCRIPT_QUIET_MS = 700;

/** Milliseconds of audio in a frame: Google's documents have 20 to 40 in a stream, and more in a file. */
export const FRAME_AUDIO_MS = 500;
/** Turns of the user that wait until they are asked about, with their audio. */
export const MAX_KEPT_TURNS = 4;
/** Calls of one response that are taken. */
export const MAX_CALLS = 64;

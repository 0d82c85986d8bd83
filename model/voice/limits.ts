// Limits of the models of voice. Each with its unit and its reason.

/** Milliseconds before now in which a turn may have begun that is noticed now: speech is loud for a while before it counts. */
export const BEGINNING_MS = 1_000;

/** Milliseconds until a turn's text has to be there: a person waits for the answer to it. */
export const TRANSCRIPTION_MS = 30_000;
/** Bytes of the answer with a turn's text: two minutes are some thousand words, with times for each of them at most. */
export const MAX_TRANSCRIPTION_BYTES = 1_000_000;
/** Characters of a turn's text: nobody says as much in two minutes. */
export const MAX_TRANSCRIPT_CHARACTERS = 20_000;
/** Turns that wait for their text: a person does not say more while one is written down. */
export const MAX_WAITING_TRANSCRIPTIONS = 8;

/** Milliseconds until the first audio of a sentence has to be there. */
export const SPEECH_BEGIN_MS = 30_000;
/** Milliseconds of silence after which the audio of a sentence counts as lost: it comes faster than it is played. */
export const SPEECH_STALL_MS = 15_000;
/** Milliseconds until all of it has to be there: what comes more slowly than it is played is no speech. */
export const SPEECH_MS = 180_000;
/** Milliseconds of audio of one sentence: its 400 characters, said at a quarter of the usual speed. */
export const MAX_SENTENCE_AUDIO_MS = 120_000;
/** Milliseconds of audio that are said ahead of the time in which they are heard; what is cut off has cost its price. */
export const MAX_SPEECH_AHEAD_MS = 20_000;
/** Milliseconds of audio of one connection that are read as fast as they come: those ahead of time, and two sentences. */
export const SPEECH_BURST_MS = 60_000;
/** Milliseconds of audio that are read for each that passes, beyond that: what is heard, and as much again that is cut off. */
export const SPEECH_PACE = 2;
/** Milliseconds of audio that the embedded voice makes at once, and then for each that passes: it takes processor time alone. */
export const SCRIPTED_PACE = { burstMs: 10_000, pace: 4 } as const;
/** Characters of an event of a stream of audio: a second of it in base64, ten times. */
export const MAX_SPEECH_EVENT_CHARACTERS = 1_000_000;
/** Bytes of audio that show of which format it is: two frames of MP3. */
export const FORMAT_BYTES = 3_072;

/** Pictures of the platform's files that a realtime provider is shown at a time: those that wait for a message. */
export const MAX_SHOWN_PICTURES = 8;
/** Bytes of all of them: they are in memory, and in one frame each. */
export const MAX_SHOWN_PICTURE_BYTES = 3_000_000;

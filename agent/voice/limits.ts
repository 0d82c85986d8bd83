// Limits of hearing and speaking. Each with its unit and its reason.

/** Milliseconds of the frames in which loudness is measured: shorter ones hold less than a period of a deep voice. */
export const LOUDNESS_FRAME_MS = 20;
/** Milliseconds that have to be loud before speech has begun: a click or a knock is over sooner. */
export const MIN_SPEECH_MS = 80;
/** Decibels below full scale of a threshold of 0: quieter than a quiet room. */
export const THRESHOLD_FLOOR_DB = -70;
/** Decibels from a threshold of 0 to one of 1: 0.5 is -40 dB, between the noise of a room and a voice at a microphone. */
export const THRESHOLD_RANGE_DB = 60;
/** Decibels below the threshold at which speech goes on: the ends of words are quieter than their beginnings. */
export const HYSTERESIS_DB = 6;
/** Milliseconds of the silence behind a turn that belong to it: the last sound fades. */
export const TRAILING_MS = 200;

/** Characters of a piece of speech at most: a person waits for the first audio of it, and a cut falls within it. */
export const MAX_SENTENCE_CHARACTERS = 400;
/** Characters of the first piece, from which on a comma ends it, too: it is all that the listener waits for. */
export const FIRST_CLAUSE_CHARACTERS = 20;
/** Characters of the first piece at most: some four seconds. */
export const MAX_FIRST_CHARACTERS = 80;
/** Quotation marks, brackets and further marks behind the end of a sentence that belong to it, at most. */
export const MAX_CLOSING_CHARACTERS = 16;

/** Marks between a text and its audio, at most: a text of ten minutes has one each half second. */
export const MAX_MARKS = 1_200;
/** Milliseconds that a character takes, at least, in audio that has not come to its end: those of a fast speaker. */
export const UNKNOWN_CHARACTER_MS = 40;
/** Milliseconds at the end of an item that may be missing of one that was wholly played: clients count in their own samples. */
export const WHOLE_AUDIO_MS = 20;

/** Zero crossings of the low-pass filter on each side, at the lower rate: 70 dB of stop band, a delay of two milliseconds. */
export const FILTER_CROSSINGS = 16;

/** Milliseconds that any frame of audio counts as, at least: browsers measure in pieces of 2.7, and no frame is free. */
export const LEAST_FRAME_MS = 2;
/** Milliseconds in which a client may send its allowance of frames other than audio. */
export const FRAME_WINDOW_MS = 10_000;
/** Milliseconds of audio that are allowed for each that passes: the clocks of microphones are not exact. */
export const AUDIO_PACE = 1.05;
/** Milliseconds of audio that a provider is given before it is open; a flood of it would lie in memory. */
export const MAX_OPENING_AUDIO_MS = 10_000;
/** Milliseconds of audio in a turn of the user, at least: a provider cannot begin replies of which the user has said nothing. */
export const LEAST_TURN_MS = 40;
/** Turns of the user, and replies to begin, that may be unsettled at a time: more than a person has within a minute. */
export const MAX_UNSETTLED_TURNS = 16;
/** Model calls whose audio is followed at a time, and items of each: those of one answer are a handful. */
export const MAX_SPOKEN_CALLS = 16;
export const MAX_CALL_ITEMS = 64;
/** Milliseconds behind the last word of a speaker in which no other connection is heard: they may go on. */
export const FLOOR_GRACE_MS = 1_000;
/** Milliseconds in which a speaker who ends turns by hand, and sends nothing, is waited for; then others may speak. */
export const FLOOR_HOLD_MS = 10_000;
/** Milliseconds of a connection's audio that are kept beside the padding of a turn, until it is sure that somebody speaks. */
export const EAR_MS = 700;
/** Ids of replies that this connection began: a reply that waits may be some turns old. */
export const MAX_SPOKEN_REPLIES = 64;
/** Ids of a provider that are remembered when they are over: what is under way of them comes within seconds. */
export const MAX_PAST_IDS = 256;
/** Characters of an id of a provider. */
export const MAX_PROVIDER_ID_CHARACTERS = 512;
/** Events of a provider that belong to nothing, on one connection: then it is taken for broken. */
export const MAX_STRAYS = 500;
/** Characters of what one turn of the user said: two minutes of a fast speaker have 3,000. */
export const MAX_TRANSCRIPT_CHARACTERS = 32_000;
/** Milliseconds in which a turn that the client has ended has to be one, or none: its provider may have to be opened first. */
export const COMMIT_MS = 30_000;
/** Milliseconds in which a transcript has to come. */
export const TRANSCRIPT_MS = 30_000;
/** Milliseconds beyond the longest turn after which speech without an end is over. */
export const SPEECH_GRACE_MS = 10_000;
/** Milliseconds in which an interrupted model call has to be at its end in the log; then its text is taken as it is. */
export const CUT_WRITTEN_MS = 5_000;
/** Milliseconds without an event of a response that is not done, until it is taken to be. */
export const RESPONSE_STALL_MS = 60_000;
/** Milliseconds in which the response of a model call that is written has to begin: some calls have none. */
export const NO_RESPONSE_MS = 2_000;
/** Milliseconds in which a provider has to be open; its owner gives up earlier, usually. */
export const OPENING_MS = 20_000;
/** Milliseconds until a provider that was lost is opened again: the second loss in a row, each further one twice, at most. */
export const FIRST_RETRY_MS = 1_000;
export const MAX_RETRY_MS = 30_000;
/** Milliseconds between two words to the client about failures of the provider. */
export const FAILURE_EVERY_MS = 1_000;
/** Milliseconds of what the user's microphone gave that are held while nobody speaks, where audio is kept: that a turn has begun is told late. */
export const KEPT_BEFORE_MS = 10_000;
/** Bytes of audio in memory that is not a file yet, beside what is being heard: two turns and an answer, of two minutes each. */
export const MAX_KEPT_BYTES = 16_000_000;
/** Files of audio that a message may name: the answers of a long reply have a tenth of them. Each one more writes the message anew. */
export const MAX_KEPT_FILES = 256;

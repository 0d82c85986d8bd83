// Limits of voice: of the definition, of a voice connection and of its frames. Each with its unit and its reason.

/** Rates of audio in hertz that a client may send and be sent: those of telephones, of speech recognition, of models and of browsers. */
export const AUDIO_RATES = [8_000, 16_000, 24_000, 48_000] as const;
/** Bytes of one sample: 16 bits, one channel. */
export const SAMPLE_BYTES = 2;

/** Seconds of one voice connection, unless the agent says otherwise: providers close theirs after an hour. */
export const DEFAULT_VOICE_SECONDS = 3_600;
/** Seconds of one voice connection at most: the longest that a provider keeps one. */
export const MAX_VOICE_SECONDS = 7_200;
/** Seconds without speech after which the provider's connection is let go, unless the agent says otherwise: it is billed while it is open. */
export const DEFAULT_VOICE_IDLE_SECONDS = 30;
/** Seconds without speech at most: providers close a silent connection after some three minutes. */
export const MAX_VOICE_IDLE_SECONDS = 180;

/** Voice connections of one session at a time, unless the agent says otherwise: one person with one device. */
export const DEFAULT_VOICE_CONNECTIONS = 1;
/** Voice connections of one session at most: each is sent all that is said. */
export const MAX_VOICE_CONNECTIONS = 4;

/** Milliseconds of silence that end a turn, unless the agent says otherwise: as providers have it. */
export const DEFAULT_SILENCE_MS = 500;
/** Milliseconds of silence at least: pauses between words are about as long. */
export const MIN_SILENCE_MS = 100;
/** Milliseconds of silence at most: longer ones are a person who has gone. */
export const MAX_SILENCE_MS = 6_000;
/** Milliseconds of audio before the detected start of speech that belong to a turn, unless the agent says otherwise. */
export const DEFAULT_PREFIX_PADDING_MS = 300;
/** Milliseconds of that audio at most: it is kept in memory while nobody speaks. */
export const MAX_PREFIX_PADDING_MS = 2_000;
/** Level of speech between 0 and 1 from which on it counts, unless the agent says otherwise: as providers have it. */
export const DEFAULT_TURN_THRESHOLD = 0.5;

/** Characters of a voice's name, and of names of languages. */
export const MAX_VOICE_NAME_CHARACTERS = 200;
/** Characters of the instructions of a model that hears or speaks: a page. */
export const MAX_SPEECH_INSTRUCTION_CHARACTERS = 4_096;
/** Tokens of one response of a realtime model at most, where an agent says how many: more than an hour of speech. */
export const MAX_REALTIME_OUTPUT_TOKENS = 200_000;

/** Bytes of a text frame from a client: a photograph in base64, as in a request. */
export const MAX_VOICE_TEXT_FRAME_BYTES = 8_000_000;
/** Bytes of a binary frame: the header and half a second at the highest rate; clients send 20 to 100 milliseconds. */
export const MAX_AUDIO_FRAME_BYTES = 48_008;
/** Characters of the same audio in base64. */
export const MAX_AUDIO_FRAME_CHARACTERS = 64_000;
/** Characters of a frame's own id, which an error gives back. */
export const MAX_FRAME_ID_CHARACTERS = 128;
/** Characters of a typed text in a frame: as long as a model reads in one turn. */
export const MAX_FRAME_TEXT_CHARACTERS = 200_000;
/** Milliseconds of audio that a client may send in one second, beyond what time allows: a network that was away brings what was spoken at once. */
export const MAX_AUDIO_AHEAD_MS = 10_000;
/** Milliseconds of one turn of the user: longer ones are cut, and answered. */
export const MAX_TURN_AUDIO_MS = 120_000;
/** Milliseconds of audio that a client has been sent and has not played: what it is sent comes faster than time. */
export const MAX_UNPLAYED_MS = 300_000;
/**
 * Bytes of audio that one voice connection is sent; then it is closed behind an item, and its client goes on with a new one,
 * which shows that it has read them: ten minutes of speech and more. What waits for one that reads nothing lies in memory.
 */
export const MAX_VOICE_AUDIO_BYTES = 32_000_000;
/** Bytes of text frames that a client may send in ten seconds: some photographs. They are read at the cost of all sessions. */
export const MAX_VOICE_TEXT_BYTES_PER_WINDOW = 32_000_000;
/** Milliseconds between two `played` of a client, at least while it plays. */
export const PLAYED_EVERY_MS = 250;
/** Milliseconds in which a client has to say what it has played after `audio_clear`; then what it has said before counts. */
export const PLAYED_ANSWER_MS = 500;
/** Milliseconds in which the first frame has to come. */
export const VOICE_START_MS = 10_000;
/** Frames, other than audio, that a client may send in ten seconds: a person does not click so fast. */
export const MAX_FRAMES_PER_WINDOW = 200;
/** Bytes of a frame from a reader of events, which has nothing to say. */
export const MAX_READER_FRAME_BYTES = 1_024;
/** Numbers of items, which have 16 bits: behind the last comes 1 again. */
export const MAX_ITEM = 65_535;
/** Pictures that wait for the message that they go with: as many as a person holds up while they ask. */
export const MAX_PICTURES = 8;

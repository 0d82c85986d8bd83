// Limits of A2A. Each with its unit and its reason.

/** Skills of an agent's card: a catalogue that a model or a person reads. */
export const MAX_A2A_SKILLS = 32;
/** Tags of one skill, and examples, and media types. */
export const MAX_A2A_SKILL_ENTRIES = 32;
/** Characters of one tag, or of one media type. */
export const MAX_A2A_TAG_CHARACTERS = 128;
/** Characters of a skill's description, or of one of its examples. */
export const MAX_A2A_SKILL_CHARACTERS = 4_096;
/** Characters of an id that a client chooses: a context, a message, a config. They come back in answers. */
export const MAX_A2A_ID_CHARACTERS = 256;
/** Parts of one message: as many as blocks of one input. */
export const MAX_A2A_PARTS = 100;
/** Answers in one message. */
export const MAX_A2A_ANSWERS = 64;
/** Tasks on a page where the client names no number, and at most: the protocol's own numbers. */
export const DEFAULT_A2A_PAGE_SIZE = 50;
export const MAX_A2A_PAGE_SIZE = 100;
/** Agents of this deployment that may have called each other before a request: one beyond is rejected. */
export const MAX_A2A_DEPTH = 8;
/** Milliseconds of one question for the state of a task whose client waits; it is asked again until the task has ended. */
export const A2A_TASK_WAIT_MS = 20_000;
/**
 * Milliseconds for which `SendMessage` waits: less than proxies keep a silent request open. The task is then returned as it
 * is, working, and the client asks again or subscribes.
 */
export const A2A_BLOCKING_MS = 90_000;
/** Seconds for which a cache may keep an agent's card: a change is seen within that time. */
export const A2A_CARD_MAX_AGE_SECONDS = 60;
/** Seconds for which a cache may keep the public keys of cards: a rotation names the next key for longer than that. */
export const A2A_KEYS_MAX_AGE_SECONDS = 3_600;

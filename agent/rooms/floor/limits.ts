// Limits of the floor of a room that speaks. Each with its unit and its reason.

/** Milliseconds in which people say what they have played of an item that was cleared; the largest counts. */
export const CLEARED_ANSWER_MS = 300;
/** Milliseconds in which an agent's session has to say that what was cut is in its log: it takes five seconds itself. */
export const CUT_SETTLED_MS = 6_000;
/** Milliseconds behind the end of a turn in which more of its speech may come: a sentence that is being made. */
export const LATE_SPEECH_MS = 10_000;
/** Milliseconds behind its time after which an item counts as played: a client that has paused delays no turn. */
export const LATE_PLAYER_MS = 5_000;
/** Milliseconds between two words to an agent's session on what was played. */
export const TOLD_EVERY_MS = 200;
/** Items whose audio is known at a time: those of one answer are a handful. */
export const MAX_FLOOR_ITEMS = 64;

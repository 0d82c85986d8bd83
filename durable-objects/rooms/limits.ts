// Limits of a room's object. Each with its unit and its reason.

/** Milliseconds for which a room waits for events of a reply that runs: an answer on the way, and no new call for each. */
export const ROOM_POLL_MS = 10_000;
/** Milliseconds until a room in which something is due looks again: its machine may have been lost. */
export const ROOM_WATCH_MS = 10_000;
/** Milliseconds between the looks of a room whose due turns all wait for the end of somebody's speech, which wakes it. */
export const ROOM_HELD_MS = 60_000;
/** Milliseconds until a room that waits for people looks at them: a session that could not tell it of an answer. */
export const ROOM_LOOK_MS = 300_000;
/** Milliseconds until a step that has failed is tried again; each further try waits twice as long. */
export const STEP_RETRY_MS = 500;
/** Milliseconds between two tries at most: a quota has room again some time. */
export const MAX_STEP_RETRY_MS = 30_000;
/** Tries to begin a turn before it ends as failed: about five minutes of a used up quota. */
export const MAX_TURN_TRIES = 15;
/** Milliseconds in which all participants of a new room have sessions, or it is given up: a request waits no longer. */
export const ROOM_OPENING_MS = 60_000;
/** Milliseconds for which an interrupt waits for the ends of the turns. */
export const ROOM_INTERRUPT_MS = 10_000;
/** Messages of triggers whose discussions have not ended: each is looked at with each turn. A further one waits. */
export const MAX_OPEN_TRIGGERED = 1_000;
/** Triggers that are told at a time that their discussion waits or goes on; others look by themselves. */
export const TOLD_TRIGGERS_AT_ONCE = 50;
/** Bytes by which a room has grown before D1 is told: a few pages of its database. */
export const ROOM_REPORT_BYTES = 16_384;
/**
 * Bytes of messages that a session is given in one call: a newcomer may hear a conversation of any size, and a call between
 * objects carries 32 MB.
 */
export const TOLD_BYTES_AT_ONCE = 4_000_000;
/** Milliseconds in which an agent's session has to answer a connection; its turn is text then. */
export const LINE_OPENING_MS = 5_000;
/** Milliseconds without audio in the middle of a person's speech that end the turn: a microphone was switched off. */
export const MUTE_MS = 5_000;
/** Turns of a person that may be written down at a time: more than one says within half a minute. */
export const MAX_WRITTEN_TURNS = 8;
/** Acts of a person, as texts and answers, that may be under way at a time: their frames are in memory. */
export const MAX_PERSON_ACTS = 16;
/** Turns of people whose usage D1 is told at a time: four statements each, in one batch. */
export const MAX_TOLD_TURNS = 10;

// Limits of what is done for an end user as a whole. Each with its unit and its reason.

/** UTF-16 units of an end user's id, as sessions are opened with. */
export const MAX_END_USER_ID_CHARACTERS = 200;
/** Sessions per step of an end user's removal: each takes some calls of D1 and its object. */
export const END_USER_REMOVAL_STEP_SESSIONS = 50;
/** Memory stores per step, each an object. */
export const END_USER_REMOVAL_STEP_STORES = 25;
/** Files per step that are left when the sessions are gone, because a fork of another end user's names them. */
export const END_USER_REMOVAL_STEP_FILES = 100;
/** Removals of end users whose job one step of the sweep makes anew. */
export const MAX_SWEPT_END_USER_REMOVALS = 100;
/**
 * Milliseconds from the last step of a removal to its last look: a session that was being opened when the removal was
 * asked for is listed by then, or has erased itself.
 */
export const END_USER_REMOVAL_SETTLE_MS = 150_000;
/** Sessions of one page of an export: with their messages and files well below what a Worker may ask in one request. */
export const EXPORTED_SESSIONS = 20;
/** Memory stores that one look at the registry reads. */
export const EXPORTED_STORES_AT_ONCE = 100;
/** Pages of messages in one page of an export; the session that has more goes on with the next one. */
export const EXPORTED_MESSAGE_PAGES = 30;
/** Rooms that one look at the registry reads. */
export const EXPORTED_ROOMS_AT_ONCE = 20;
/** Pages of messages of rooms in one page of an export: of each, the end user's own are exported. */
export const EXPORTED_ROOM_PAGES = 30;
/** Requests to memory stores in one page of an export, each for a part of one: a Worker may make a thousand. */
export const EXPORTED_MEMORY_PAGES = 30;
/** Tasks of A2A of one session in an export, the newest: as many as one query reads at once. */
export const MAX_EXPORTED_TASKS = 1_000;
/** Triggers of one end user in an export: as many as a tenant has by default. */
export const MAX_EXPORTED_TRIGGERS = 1_000;

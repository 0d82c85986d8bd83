// Limits of the search over sessions. Each with its unit and its reason.

/** Characters of a search: longer than a line that a person looks for. */
export const MAX_SEARCH_CHARACTERS = 200;
/** Words of a search; each is looked up by itself, and a session has to have all of them. */
export const MAX_SEARCH_WORDS = 16;
/** Characters of a term; the rest of a longer one, such as an encoded file, is left out. */
export const MAX_TERM_CHARACTERS = 64;
/** Characters of a first message that are searched: its beginning says what it is about. */
export const MAX_OPENING_CHARACTERS = 2_000;
/** Sessions that an index takes from D1 in one step: a transaction of some ten milliseconds. */
export const INDEXED_AT_ONCE = 250;
/** Sessions that are asked for their first message at once: each may wake an object. */
export const OPENINGS_AT_ONCE = 25;
/** Milliseconds within which a session says its first message; then it is asked again later. */
export const OPENING_MS = 5_000;
/** Times that a session is asked for its first message; then its first words have to do. */
export const OPENING_ATTEMPTS = 3;
/** Milliseconds for which a search waits for an index that is being made; then it answers with what there is. */
export const SEARCH_WAIT_MS = 1_000;
/** Sessions that one page of a search with other filters reads: they are found by their words, and then filtered. */
export const MAX_FILTERED_SESSIONS = 1_000;

// Bounds of the frames of a task's stream: the SDK's client refuses frames of 4 MiB.

/** Characters of JSON of what makes a frame large: each becomes 3 bytes of UTF-8 at most. */
export const MAX_A2A_FRAME_CHARACTERS = 1_200_000;
/** Characters of text in one part: each becomes 6 characters of JSON at most. */
export const MAX_A2A_TEXT_CHARACTERS = 200_000;
/** Characters of the words of one status, as those of a part. */
export const MAX_A2A_WORDS_CHARACTERS = 50_000;
/** Characters of JSON of the questions of one status; the rest of its frame is for their words. */
export const MAX_A2A_QUESTION_CHARACTERS = 600_000;
/** Messages of a task's history: a request may bring as many. */
export const MAX_A2A_HISTORY = 100;
/** Tasks of a session that are looked at for one page of a list, and counted for its sum: each costs a row. */
export const MAX_A2A_COUNTED_TASKS = 10_000;

// Limits of the console's sign-in. Each with its unit and its reason.

/** Milliseconds until a sign-in link expires: long enough to pass it on, short for what lies in a mail or a terminal. */
export const CONSOLE_LINK_MS = 600_000;
/** Maximum lifetime of a console session in milliseconds: a working day. */
export const CONSOLE_SESSION_MS = 43_200_000;
/** Milliseconds without a token exchange after which a console session ends: no page of it has been open for an hour. */
export const CONSOLE_IDLE_MS = 3_600_000;
/** Lifetime of a console's access token in milliseconds: what a page leaks is of no use minutes later. */
export const CONSOLE_TOKEN_MS = 300_000;
/** Milliseconds for which rows of ended sessions are kept: a used link is told from an unknown one that long. */
export const CONSOLE_KEPT_MS = 86_400_000;
/** Rows of ended sessions that a new link deletes, oldest first: more than it adds, so that they cannot pile up. */
export const MAX_PURGED_CONSOLE_SESSIONS = 100;
/** Bytes of random in a link's secret and in a session's: 256 bits, which cannot be guessed. */
export const CONSOLE_SECRET_BYTES = 32;
/** Characters of a link's secret in a sign-in request: one of the platform's has 46. */
export const MAX_CONSOLE_SECRET_CHARACTERS = 128;

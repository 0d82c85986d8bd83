// Limits of API keys, client tokens and the console's sign-in. Each with its unit and its reason.

/** Milliseconds for which an API key's record is cached: a revoked key is refused after that time at the latest. */
export const KEY_CACHE_MS = 30_000;
/** Milliseconds for which a cached valid key is accepted while D1 is unavailable. */
export const KEY_STALE_MS = 3_600_000;
/** Milliseconds for which an unknown key is refused without another query. */
export const UNKNOWN_KEY_MS = 10_000;
/** Keys in the cache of one isolate, and as many unknown ones: some megabytes of its 128. */
export const MAX_CACHED_KEYS = 5_000;
/** Milliseconds after which a key lookup counts D1 as unavailable. */
export const KEY_LOOKUP_MS = 5_000;
/** Milliseconds until the next lookup after D1 failed, so that not every request waits for it. */
export const KEY_LOOKUP_RETRY_MS = 5_000;
/** Milliseconds between two writes of a key's last use: one row a minute at any request rate. */
export const LAST_USED_INTERVAL_MS = 60_000;
/** Default milliseconds for which a rotated key's old secret stays valid: a day to deploy the new one. */
export const DEFAULT_ROTATION_OVERLAP_MS = 86_400_000;
/** Maximum overlap of a rotation in milliseconds: a week. */
export const MAX_ROTATION_OVERLAP_MS = 604_800_000;
/** Minimum characters of KEY_PEPPER: the holder of one token could guess a shorter one. */
export const MIN_PEPPER_CHARACTERS = 16;
/** Default lifetime of a client token in seconds. */
export const DEFAULT_TOKEN_TTL_SECONDS = 900;
/** Maximum lifetime of a client token in seconds: a token that leaks from a device should expire soon. */
export const MAX_TOKEN_TTL_SECONDS = 3_600;
/** Origins of one client token. */
export const MAX_ALLOWED_ORIGINS = 16;
/**
 * Characters of a bearer credential, longer ones are refused unread: a client token with the maximum of origins has
 * some 7,000.
 */
export const MAX_BEARER_CHARACTERS = 8_192;
/** Characters of the stream path in a ticket request: one with the longest thread id, URL-encoded, fits. */
export const MAX_STREAM_PATH_CHARACTERS = 6_000;

/** Milliseconds until a sign-in link expires: long enough to pass it on, short for what lies in a mail or a terminal. */
export const CONSOLE_LINK_MS = 600_000;
/** Maximum lifetime of a console session in milliseconds: a working day. */
export const CONSOLE_SESSION_MS = 43_200_000;
/** Milliseconds without a token exchange after which a console session ends: no page of it has asked for anything. */
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

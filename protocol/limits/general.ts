// Every limit of the platform, with its unit and the reason for its size.

/** Bytes of a JSON request body without media; a long conversation turn is far below it. */
export const MAX_BODY_BYTES = 1_000_000;
/** Bytes of a request body on the routes that take media: one photograph in base64 with room to spare. */
export const MAX_MEDIA_BODY_BYTES = 8_000_000;
/** Levels of nesting in a request body; deeper ones only serve to exhaust a recursive reader. */
export const MAX_INPUT_DEPTH = 64;
/** Tools of one agent; model providers refuse more. */
export const MAX_TOOLS = 128;
/** Tool calls that one reply runs at the same time; a Worker has six outgoing connections. */
export const MAX_PARALLEL_TOOL_CALLS = 4;
/** Replies that wait for the one before them; more is a program that does not listen. */
export const MAX_QUEUED_REPLIES = 16;
/** Bytes of what those were asked with, as JSON: two bodies with media. */
export const MAX_QUEUED_BYTES = 16_000_000;
/** Open streams of one session. */
export const MAX_SUBSCRIBERS = 200;
/** Bytes of client metadata on one resource, as JSON. */
export const MAX_METADATA_BYTES = 4_096;
/** Messages in one reply's input. A run's transcript may bring more. */
export const MAX_INPUT_MESSAGES = 100;
/** Rounds of model call and tools before a reply is ended with `exceed_max_iters`. */
export const DEFAULT_MAX_ITERS = 20;
/** The most that an agent may set as `max_iters`. */
export const MAX_MAX_ITERS = 200;

/** Rows on a page of a list when the client names no limit. */
export const DEFAULT_PAGE_LIMIT = 20;
/** Rows on a page of a list at most. */
export const MAX_PAGE_LIMIT = 100;

/** Milliseconds that a waiting POST holds its connection before it answers 202. */
export const REPLY_WAIT_MS = 120_000;
/** Milliseconds of the leading-edge window in which deltas are merged: the first goes at once. */
export const DELTA_SEND_WINDOW_MS = 5;
/** Milliseconds that visible deltas may run ahead of the disk. */
export const DELTA_COMMIT_MS = 250;
/** Bytes of frames that wait for the disk before they are committed early. */
export const DELTA_COMMIT_BYTES = 32_768;
/** Seqs that are reserved at once; one durable write buys this many numbers. */
export const SEQ_RESERVATION = 1_000;
/** Bytes of one value in a row; the platform refuses 2 MB. */
export const MAX_ROW_BYTES = 1_000_000;
/** Characters of one delta; a longer one is split, so that no row comes near the platform's limit. */
export const MAX_DELTA_CHARACTERS = 128_000;

/** Milliseconds between comment frames on a silent stream; below every proxy's idle limit. */
export const HEARTBEAT_MS = 10_000;
/** Milliseconds that a client should wait before it reconnects (`retry:`). */
export const STREAM_RETRY_MS = 1_000;
/** Milliseconds without an event after which a `follow=session` stream is closed: an open stream is billed. */
export const FOLLOW_IDLE_MS = 60_000;
/** Milliseconds after which a `follow=session` stream is closed in any case. */
export const FOLLOW_TOTAL_MS = 900_000;

/** Milliseconds that a tool may take when its definition says nothing. */
export const DEFAULT_TOOL_TIMEOUT_MS = 30_000;
/** Milliseconds that a tool definition may ask for. */
export const MAX_TOOL_TIMEOUT_MS = 600_000;
/** Bytes of a tool's answer when its definition says nothing. */
export const DEFAULT_TOOL_MAX_BYTES = 1_000_000;
/** Bytes of a tool's answer that a definition may ask for. */
export const MAX_TOOL_MAX_BYTES = 8_000_000;
/** Bytes of a failing tool's body that the model is shown: a reason fits, a page of HTML does not. */
export const MAX_TOOL_ERROR_BYTES = 2_000;

/** Characters of one event in a model's stream; a generated picture of a million points in base64 fits. */
export const MAX_MODEL_EVENT_CHARACTERS = 4_000_000;
/** Characters of a model's proof of one thought; the encrypted thoughts of long turns have some ten thousand. */
export const MAX_THINKING_SIGNATURE_CHARACTERS = 65_536;
/** Milliseconds of silence on a model's open stream after which it counts as lost; thinking models send something sooner. */
export const MODEL_STALL_MS = 120_000;
/** Milliseconds until a model must have begun to answer; long prompts take minutes on small machines. */
export const MODEL_ANSWER_MS = 300_000;

/** Milliseconds after which somebody looks whether a running reply still has a runner. */
export const DEAD_MAN_MS = 30_000;
/** Bytes of stored messages that a reply's context is read from, newest first: what 128 MB of memory bear. */
export const MAX_HISTORY_BYTES = 8_000_000;
/** Bytes of them that are read in one go: some two milliseconds in which the object hears nobody. */
export const HISTORY_SLICE_BYTES = 262_144;

/** Values in a request body, counted before it is parsed: each may become an error of validation in memory. */
export const MAX_INPUT_VALUES = 20_000;
/** Errors that one problem lists; more tell nobody more. */
export const MAX_FIELD_ERRORS = 20;
/** Characters of a pointer in a problem; a longer one stops at the last parent that fits. */
export const MAX_POINTER_CHARACTERS = 1_000;
/** Characters of a message's id, which a client may choose. */
export const MAX_MESSAGE_ID_CHARACTERS = 128;
/** Seconds that a browser may remember a preflight's answer: a day, and browsers take less. */
export const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
/** Milliseconds after which a delivery to D1 that failed is tried again, at first. */
export const OUTBOX_RETRY_MS = 5_000;
/** Milliseconds between two tries at most; each waits about as long as the oldest entry is old. */
export const OUTBOX_RETRY_MAX_MS = 600_000;

/** Times that a failed model call is made again before the next model is tried. */
export const MAX_MODEL_RETRIES = 3;
/** Milliseconds before the first retry of a model call; doubled for each further one. */
export const MODEL_RETRY_MS = 1_000;
/** Milliseconds between two tries at most, when the provider names no time. */
export const MODEL_RETRY_MAX_MS = 30_000;
/** Milliseconds of a provider's Retry-After that are waited for; somebody looks at the reply meanwhile. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** Fallback models of an agent; more only make a failing reply last longer. */
export const MAX_FALLBACK_MODELS = 4;
/** Headers that a tool's definition may set; servers refuse some hundred. */
export const MAX_HEADERS = 32;
/** Characters of one header's value; servers take 8 KB of headers in all. */
export const MAX_HEADER_CHARACTERS = 4_096;
/** Blocks in one answer of a tool; each is an event of its own. */
export const MAX_TOOL_BLOCKS = 256;
/** Bytes of a tool answer's metadata, as JSON. */
export const MAX_TOOL_METADATA_BYTES = 16_384;

/** Milliseconds for which what D1 said of an API key is believed: a revoked key is refused that long after at most. */
export const KEY_CACHE_MS = 30_000;
/** Milliseconds for which a key that was valid stays so while D1 cannot be asked. */
export const KEY_STALE_MS = 3_600_000;
/** Milliseconds for which a key that D1 does not know is refused without asking again. */
export const UNKNOWN_KEY_MS = 10_000;
/** Keys that one isolate remembers, and as many unknown ones: some megabytes of its 128. */
export const MAX_CACHED_KEYS = 5_000;
/** Milliseconds that a look-up of a key may take before D1 counts as down. */
export const KEY_LOOKUP_MS = 5_000;
/** Milliseconds until D1 is asked again for a key after it failed: not every request has to wait for it. */
export const KEY_LOOKUP_RETRY_MS = 5_000;
/** Milliseconds between two writes of a key's last use: one row a minute, whatever the traffic. */
export const LAST_USED_INTERVAL_MS = 60_000;
/** Milliseconds for which a rotated key's old secret works when the request says nothing: a day to deploy the new one. */
export const DEFAULT_ROTATION_OVERLAP_MS = 86_400_000;
/** Milliseconds of overlap that a rotation may ask for. */
export const MAX_ROTATION_OVERLAP_MS = 604_800_000;
/** Characters of a credential's secret: it travels in one header. */
export const MAX_CREDENTIAL_CHARACTERS = 4_096;
/** Days that a report of usage covers when the request names none. */
export const DEFAULT_USAGE_DAYS = 30;
/** Days that a report of usage may cover. */
export const MAX_USAGE_DAYS = 366;
/** Seconds after which a client may try again what needed D1 while it was down. */
export const UNAVAILABLE_RETRY_SECONDS = 2;
/** Characters of a call id that a model may choose; a longer one is replaced, because tools get it in a header. */
export const MAX_CALL_ID_CHARACTERS = 256;
/** Seconds that a cache may show the documents about the API: a deploy is seen soon after. */
export const OPENAPI_MAX_AGE_SECONDS = 300;
/** Milliseconds that the start of a reply waits for D1 to name the agent's newest version. */
export const AGENT_REFRESH_MS = 2_000;
/** Seconds in which requests are counted; the runtime offers 10 and 60, and who was refused should not wait long. */
export const RATE_LIMIT_WINDOW_SECONDS = 10;
/** Requests of one tenant in a window, at each location: far above a shop's traffic, below what D1 answers. */
export const TENANT_REQUESTS_PER_WINDOW = 10_000;
/** Requests of one address in a window with a credential that is wrong or not known yet: each may be a question to D1. */
export const STRANGER_REQUESTS_PER_WINDOW = 2_000;
/** Characters of a tracestate that is passed on; W3C Trace Context asks for this many, and models need none of it. */
export const MAX_TRACESTATE_CHARACTERS = 512;
/** Bytes of the JSON Schema of a structured output; it stands in the log once and in every model call. */
export const MAX_STRUCTURED_SCHEMA_BYTES = 65_536;
/** Levels of schemas within such a schema; generated ones rarely have ten. */
export const MAX_STRUCTURED_SCHEMA_DEPTH = 24;
/** Schemas that such a schema may ask of one value, references followed; each costs a check. */
export const MAX_SCHEMA_CHECKS = 1_000;
/** Rounds beyond `max_iters` in which the model is made to give its structured output. */
export const STRUCTURED_OUTPUT_GRACE_ROUNDS = 5;
/** Bytes of items on one page at most, unless one item alone is larger; an RPC answer may have 32 MiB. */
export const MAX_PAGE_BYTES = 8_000_000;
/** UTF-16 units of one reply's message, about: an RPC answer may have 32 MiB, at two bytes a unit. */
export const MAX_REPLY_CHARACTERS = 12_000_000;
/** Rules of one session or agent: each is asked for each call of its tool. */
export const MAX_RULES = 1_000;
/** Characters of a rule's content; matching is linear in it. */
export const MAX_RULE_CHARACTERS = 4_096;
/** Seconds that a client token lives when the request says nothing. */
export const DEFAULT_TOKEN_TTL_SECONDS = 900;
/** Seconds that a client token may live: what leaks from a phone should soon be worth nothing. */
export const MAX_TOKEN_TTL_SECONDS = 3_600;
/** Origins of one client token. */
export const MAX_ALLOWED_ORIGINS = 16;
/** Seconds that a confirmation waits when the agent says nothing: a day. */
export const DEFAULT_CONFIRMATION_TTL_SECONDS = 86_400;
/** Seconds that an agent may let a confirmation or an external result wait: a month. */
export const MAX_WAITING_SECONDS = 2_592_000;

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
/** Characters of a message's id: those of an input message, which has the same id. */
export const MAX_A2A_MESSAGE_ID_CHARACTERS = 128;
/** Parts of one message: as many as blocks of one input. */
export const MAX_A2A_PARTS = 100;
/** Answers in one message. */
export const MAX_A2A_ANSWERS = 64;
/** Tasks on a page where the client names no number: the protocol's own. */
export const DEFAULT_A2A_PAGE_SIZE = 50;
/** Tasks on a page at most: the protocol's own number. */
export const MAX_A2A_PAGE_SIZE = 100;
/** Agents of this deployment that may have called each other before a request: one beyond is rejected. */
export const MAX_A2A_DEPTH = 8;
/** Milliseconds of one question for the state of a task whose client waits; it is asked again until the task has ended. */
export const A2A_TASK_WAIT_MS = 20_000;
/** Milliseconds of such a question for a task that has called agents: what they ask of somebody ends no longer one. */
export const A2A_CALLED_LOOK_MS = 1_000;
/** Milliseconds that a client token has left when the wait with it ends: it is looked at once more before the task is shown. */
export const A2A_TOKEN_LEFT_MS = 1_000;
/** Milliseconds before a question that has failed is asked again: the session's machine was lost. */
export const A2A_RETRY_MS = 1_000;
/** Failures in a row after which it is not asked any more: half a minute. */
export const MAX_A2A_FAILURES = 7;
/** Milliseconds for which `SendMessage` waits: as long as a stream of MCP is held open. */
export const A2A_BLOCKING_MS = 3_600_000;
/** Milliseconds after which the answer to `SendMessage` begins, and between its spaces: proxies close a silent one. */
export const A2A_HEARTBEAT_MS = 15_000;
/** Milliseconds for which `CancelTask` waits for the task's end: a model may say something about the interrupt. */
export const A2A_CANCEL_WAIT_MS = 20_000;
/** Sessions that a list over contexts asks at once for their tasks. */
export const A2A_LIST_ASKED_AT_ONCE = 10;
/** As many when their tasks come with what they say, which may be megabytes of each. */
export const A2A_LIST_CONTENT_ASKED_AT_ONCE = 4;
/** Seconds for which a cache may keep an agent's card: a change is seen within that time. */
export const A2A_CARD_MAX_AGE_SECONDS = 60;
/** Seconds for which a cache may keep the public keys of cards: a rotation names the next key for longer than that. */
export const A2A_KEYS_MAX_AGE_SECONDS = 3_600;
/** Extensions, media types or tasks that one message names. */
export const MAX_A2A_EXTENSIONS = 64;
/** Characters of an address, a token or a file's name. */
export const MAX_A2A_URL_CHARACTERS = 8_192;
/** Characters of `A2A-Extensions` that are read. */
export const MAX_A2A_HEADER_CHARACTERS = 4_096;
/** Push notification configs of one task. */
export const MAX_A2A_PUSH_CONFIGS = 10;
/** Characters of a config's address: as of a webhook endpoint. */
export const MAX_A2A_PUSH_URL_CHARACTERS = 2_048;
/** Characters of a config's token, or of its credentials: the longest JWTs that receivers take in a header. */
export const MAX_A2A_PUSH_SECRET_CHARACTERS = 8_192;
/** Artifacts of one task that one config is told of: each is remembered, so that it is told once. */
export const MAX_A2A_PUSHED_ARTIFACTS = 1_000;
/** Notifications of one config that wait: while a receiver is away, only the end of its task is added. */
export const MAX_A2A_WAITING_PUSHES = 100;
/** Bytes of one notification: an artifact that is larger is in the task alone, which its client then asks for. */
export const MAX_A2A_PUSH_BYTES = 1_000_000;
/** Milliseconds before each retry of a notification; after the last one all that waits for this receiver is given up. */
export const A2A_PUSH_RETRY_MS = [5_000, 30_000, 300_000, 1_800_000] as const;
/** Milliseconds for which a notification is tried, while its tenant is suspended too: three days, as webhooks. */
export const A2A_PUSH_KEPT_MS = 259_200_000;
/** Milliseconds after which a job without a trace is sent again: as long as the lease of its attempt. Doubled each time. */
export const A2A_PUSH_JOB_MS = 60_000;
/** Longest time between two such jobs in milliseconds: a tenant that goes on again is told within the hour. */
export const MAX_A2A_PUSH_JOB_MS = 3_600_000;
/** Concurrent notifications of one tenant, of the attempts that its webhooks share with them. */
export const MAX_TENANT_A2A_PUSHES = 8;
/** Milliseconds until a notification without a free place is tried again. */
export const A2A_PUSH_BUSY_MS = 5_000;
/** Configs for which one alarm sends jobs; the others follow at once. */
export const MAX_A2A_PUSH_JOBS = 100;
/** Milliseconds for which a row of a task is kept, from its beginning: a month. The task itself goes with its session. */
export const A2A_TASKS_KEPT_MS = 2_592_000_000;
/** Rows of tasks that one step of the sweep deletes. */
export const MAX_PURGED_A2A_TASKS = 500;
/** Percentage of the tenant's `a2a_tasks` that the tasks of one end user may have. */
export const END_USER_A2A_TASKS_PERCENT = 10;

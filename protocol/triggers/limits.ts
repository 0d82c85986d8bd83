// Limits of triggers and their runs. Each with its unit and its reason.

/** Next times that a trigger shows. */
export const SHOWN_UPCOMING_RUNS = 5;
/** Share of the interval between two runs by which the beginning of one is put off, so that not all begin together. */
export const JITTER_SHARE = 0.1;
/** Milliseconds by which a beginning is put off at most: a daily run still begins about when it is listed. */
export const MAX_JITTER_MS = 10 * 60_000;
/** Times that one step looks at, a sixth of a millisecond each: those of a minutely schedule for 33 hours. */
export const MAX_WALKED_TIMES = 2_000;
/** Times in a row that are none of an expression's own: clocks that go back by three hours repeat 180 minutes. */
export const MAX_DROPPED_TIMES = 400;
/** Characters of a cron expression: five fields with lists fit many times. */
export const MAX_CRON_CHARACTERS = 200;
/** Characters of a fixed key of a session, of a pointer into a payload, and of a prefix. */
export const MAX_SESSION_KEY_CHARACTERS = 200;
/** Characters of a template or of the texts of an input, as a definition has them. */
export const MAX_TRIGGER_INPUT_CHARACTERS = 32_000;
/** Bytes of an input once its template is filled in with a payload, as UTF-8: some pages, and a small row. */
export const MAX_RUN_INPUT_BYTES = 65_536;
/** Characters of a webhook's secret that its sender has given. */
export const MAX_SENDER_SECRET_CHARACTERS = 256;
/** Placeholders of an input's template: each may have a value of some kilobytes. */
export const MAX_INPUT_PLACEHOLDERS = 50;
/** Random bytes of a secret that is made here for GitHub, Stripe or Slack: as many as HMAC-SHA-256 makes use of. */
export const SENDER_SECRET_BYTES = 32;
/** Values of a payload's JSON, or fields of a form: a push of a thousand commits has fewer. */
export const MAX_PAYLOAD_VALUES = 50_000;
/** Characters of a challenge that an answer repeats; Slack's have about fifty. */
export const MAX_CHALLENGE_CHARACTERS = 256;
/** Characters of a sender's own id of a delivery. */
export const MAX_SENDER_ID_CHARACTERS = 256;
/** Missed times that `run_all` makes up for, the newest. */
export const MAX_CAUGHT_UP_RUNS = 10;
/** Failures of a trigger in a row after which it is paused. */
export const MAX_FAILURES_IN_ROW = 5;
/** Milliseconds that a run, and the sender's id of a webhook, are kept. */
export const RUN_KEPT_MS = 30 * 86_400_000;
/** Runs that a trigger keeps, the newest: those of a minutely schedule for 30 days, and some. */
export const MAX_KEPT_RUNS = 50_000;
/** Runs of a trigger that have not ended; a further one is left out. Those that wait for people may take days. */
export const MAX_OPEN_RUNS = 1_000;
/** Milliseconds in which a run that a quota has refused is tried again. */
export const RUN_QUOTA_RETRY_MS = 3_600_000;
/** Milliseconds between these tries: the first one, twice as many after each, up to the last one. */
export const FIRST_RUN_RETRY_MS = 15_000;
/** Milliseconds between two tries at most. */
export const MAX_RUN_RETRY_MS = 10 * 60_000;
/** Milliseconds after which a run whose object was lost while it began is begun again. */
export const RUN_WATCH_MS = 30_000;
/** Milliseconds between looks at the reply of a run whose session has told nothing, at least. */
export const RUN_LOOK_MS = 60_000;
/** The same as a share of the run's age: one that waits for days is looked at seldom. */
export const RUN_LOOK_SHARE = 0.1;
/** The same at most. */
export const MAX_RUN_LOOK_MS = 3_600_000;
/** Runs that a trigger begins at a time: each opens a session. */
export const RUNS_BEGUN_AT_ONCE = 4;
/**
 * Milliseconds behind its listed time up to which a run is late and no missed one. Thousands that are due in one minute begin
 * within twenty.
 */
export const LATE_RUN_MS = 30 * 60_000;
/** Milliseconds between looks at a suspended tenant, for which nothing is begun. */
export const TRIGGER_SUSPENDED_MS = 10 * 60_000;
/** Milliseconds before something that D1, or a session, could not be told is told again. */
export const TRIGGER_RETRY_MS = 30_000;
/** Milliseconds that a trigger's object has for one request of another one. */
export const TRIGGER_ANSWER_MS = 10_000;
/** Tries of a run that fails for no known reason, as while its session's object cannot be reached. */
export const MAX_RUN_TRIES = 10;
/** Triggers of a closed tenant, or of an end user, that one step erases, each an object. */
export const ERASED_TRIGGERS_AT_ONCE = 50;
/** Triggers that one step of the sweep arms or erases. */
export const SWEPT_TRIGGERS = 25;
/** Milliseconds after a change of a trigger from which on the sweep tells its object, if the request could not. */
export const TRIGGER_ARM_GRACE_MS = 60_000;
/** Characters of a failure's sentence. */
export const MAX_RUN_ERROR_CHARACTERS = 500;
/** Milliseconds between two deletions of old runs. */
export const PURGE_RUNS_MS = 86_400_000;
/** Runs that one step of it deletes. */
export const PURGED_RUNS = 1_000;
/** Webhooks of runs that are published at a time. */
export const ANNOUNCED_AT_ONCE = 20;

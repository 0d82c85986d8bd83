// Limits of credentials: where they may be sent, and for how long a session may use its copy. Each with its unit and
// its reason.

/** Characters of a credential's secret: it travels in one header. */
export const MAX_CREDENTIAL_CHARACTERS = 4_096;
/** Hosts that one credential may be sent to: a secret of more servers than that is many secrets. */
export const MAX_ALLOWED_HOSTS = 32;
/** Characters of such a host: the longest name of DNS with `*.` before it and a port behind. */
export const MAX_ALLOWED_HOST_CHARACTERS = 261;
/** Different credentials that one agent may name: one for each tool; their sealed secrets stand in each session. */
export const MAX_AGENT_CREDENTIALS = 128;
/** Milliseconds that the start of a reply waits for D1 to say what its credentials are now. */
export const CREDENTIAL_LOOKUP_MS = 2_000;
/** Milliseconds since D1 last confirmed them for which a session may use its copies while D1 cannot be asked. */
export const CREDENTIAL_STALE_MS = 3_600_000;
/** Milliseconds by which the time of the last confirmation on disk may be behind: not each reply has to write it. */
export const CREDENTIAL_CONFIRMATION_WRITE_MS = 60_000;

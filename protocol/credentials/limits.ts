// Limits of credentials: their hosts, and how long a session may use its copies. Each with its unit and its reason.

/** Characters of a credential's secret: it is sent in one header. */
export const MAX_CREDENTIAL_CHARACTERS = 4_096;
/** Allowed hosts of one credential: one secret is rarely shared by more. */
export const MAX_ALLOWED_HOSTS = 32;
/** Characters of an allowed host: the longest DNS name with `*.` and a port. */
export const MAX_ALLOWED_HOST_CHARACTERS = 261;
/** Different credentials of one agent: one for each tool; their encrypted secrets are stored in each session. */
export const MAX_AGENT_CREDENTIALS = 128;
/** Milliseconds that the start of a reply waits for D1 to confirm its credentials. */
export const CREDENTIAL_LOOKUP_MS = 2_000;
/** Milliseconds after their last confirmation for which a session may use its copies while D1 is unavailable. */
export const CREDENTIAL_STALE_MS = 3_600_000;
/** Milliseconds by which the stored time of the last confirmation may lag, so that not every reply writes it. */
export const CREDENTIAL_CONFIRMATION_WRITE_MS = 60_000;

// What a tenant may have and use when the operator has set nothing else for it. Each with its unit and its reason. A new
// tenant's row gets these; who changes one changes it for tenants that come later.

/** Replies of one tenant that run at the same time: each holds an object, and as a rule a model call. */
export const DEFAULT_RUNNING_REPLIES = 200;
/** Sessions of one tenant: a conversation for each of its users, for some time. */
export const DEFAULT_SESSIONS = 100_000;
/** Agents of one tenant that are not deleted. */
export const DEFAULT_AGENTS = 1_000;
/** Versions of all agents of one tenant that are not deleted: ten for each, or thousands for one that is worked on. */
export const DEFAULT_AGENT_VERSIONS = 10_000;
/** Credentials of one tenant: its end users' own among them, for tools that act in their names. */
export const DEFAULT_CREDENTIALS = 1_000;
/** API keys of one tenant that are not revoked: one for each of its services, and those that are being replaced. */
export const DEFAULT_API_KEYS = 100;
/** Webhook endpoints of one tenant: each message is stored and sent once for each of them. */
export const DEFAULT_WEBHOOK_ENDPOINTS = 50;
/** Inbound endpoints of one tenant: one for each system that answers. */
export const DEFAULT_INBOUND_ENDPOINTS = 50;
/** Bytes that the sessions of one tenant hold in their objects, and its agents' versions in D1. */
export const DEFAULT_STORED_BYTES = 5_000_000_000;
/** Tokens that one tenant's replies read and write in a day of UTC. */
export const DEFAULT_TOKENS_PER_DAY = 100_000_000;
/** The most that the operator may set a quota to: all sums stay exact. */
export const MAX_QUOTA = 1_000_000_000_000_000;
/** Milliseconds that a running reply's lease is good for: three watches of its session, each of which renews it. */
export const LEASE_MS = 90_000;
/** Milliseconds after which a running reply asks anew, before its next model call or at the watch. */
export const LEASE_RENEWAL_MS = 30_000;
/** Milliseconds that the lease of a session is good for that is only read. It is renewed at half of them. */
export const READING_LEASE_MS = 600_000;
/** Milliseconds that a start waits for the tenant's object; then it goes on, and its lease is asked for again. */
export const LEASE_WAIT_MS = 2_000;
/** Milliseconds until a tenant's object that did not answer is asked again: not every model call waits for it. */
export const LEASE_RETRY_MS = 5_000;
/**
 * Milliseconds for which a session goes on that cannot reach its tenant's object: as long as a deploy or an outage of
 * one object lasts, and too short to use up much.
 */
export const LEASE_GRACE_MS = 600_000;
/** Tokens that a running reply may use before it asks for more: some model calls of an agent with a short context. */
export const TOKEN_GRANT = 50_000;
/** Milliseconds until a reply that waits for a quota looks again: a minute at most is lost when there is room. */
export const QUOTA_RETRY_MS = 30_000;
/** Milliseconds after which a tenant's object reads again from D1 what it was not told, while its sessions ask. */
export const STANDING_REFRESH_MS = 30_000;
/** Milliseconds for which an isolate believes what a tenant's object has said of the tenant: as long as it believes a key. */
export const STANDING_CACHE_MS = 30_000;
/** Tenants whose standing an isolate remembers. */
export const MAX_CACHED_TENANTS = 5_000;
/** Sessions that a tenant's object tells of a change at the same time. */
export const PUSH_SESSIONS = 50;
/** Milliseconds until sessions that could not be told are told again. */
export const PUSH_RETRY_MS = 5_000;
/** Milliseconds that what a reply has used is remembered after it was last heard of: longer than calls wait as a rule. */
export const COUNTED_REPLY_MS = 2_592_000_000;
/** Rows of replies, days and keys that are over which one request of the tenant's object removes. */
export const TENANT_PURGED_ROWS = 200;

// Default quotas of a tenant, and the timing of their enforcement. Each with its unit and its reason. The defaults are
// copied into a new tenant's row: a change applies to tenants created later.

/** Concurrent replies of one tenant: each occupies an object and usually a model call. */
export const DEFAULT_RUNNING_REPLIES = 200;
/** Sessions of one tenant: a conversation for each of its users, for some time. */
export const DEFAULT_SESSIONS = 100_000;
/** Agents of one tenant that are not deleted. */
export const DEFAULT_AGENTS = 1_000;
/** Versions of all agents of one tenant that are not deleted: ten for each, or thousands of one that changes often. */
export const DEFAULT_AGENT_VERSIONS = 10_000;
/** Skills of one tenant, as many as agents. Their bytes count as stored bytes. */
export const DEFAULT_SKILLS = 1_000;
/** Credentials of one tenant, including those of its end users, for tools that act on their behalf. */
export const DEFAULT_CREDENTIALS = 1_000;
/** API keys of one tenant that are not revoked: one per service, and some being rotated. */
export const DEFAULT_API_KEYS = 100;
/** Webhook endpoints of one tenant: each message is stored and sent once per endpoint. */
export const DEFAULT_WEBHOOK_ENDPOINTS = 50;
/** Inbound endpoints of one tenant: one for each system that posts events. */
export const DEFAULT_INBOUND_ENDPOINTS = 50;
/** MCP servers of one tenant: one for each system whose tools its agents use. */
export const DEFAULT_MCP_SERVERS = 100;
/** Members of one tenant that have not left: a company with more people takes a few dozen to its agents. */
export const DEFAULT_MEMBERS = 100;
/** Memory stores of one tenant: as many as sessions, one for each of its end users with one agent. */
export const DEFAULT_MEMORY_STORES = 100_000;
/** Triggers of one tenant, as many as agents: each is an object that wakes by itself. */
export const DEFAULT_TRIGGERS = 1_000;
/** Rooms of a tenant: each has sessions of its own, which count by themselves. */
export const DEFAULT_ROOMS = 10_000;
/** Tasks of A2A of one tenant in a month: as many as sessions, each with one. */
export const DEFAULT_A2A_TASKS = 100_000;
/** Bytes stored by one tenant: its sessions' objects, and its agents' versions in D1, files and skills. */
export const DEFAULT_STORED_BYTES = 5_000_000_000;
/**
 * Bytes of one tenant's rows in the database that all tenants share, which holds ten times as much: a million small rows,
 * or a day's keys with their largest answers for one request in six seconds.
 */
export const DEFAULT_DATABASE_BYTES = 1_000_000_000;
/**
 * Bytes by which a session may grow without a reply before it asks its tenant's object again, beside what the request
 * brings: half of what a session may have above its tenant's quota.
 */
export const STORED_BYTES_GRANT = 500_000;
/** Growth of a session's database, in bytes, that is told without a reply: less is told with the next one. */
export const STORED_BYTES_REPORT = 65_536;
/** Milliseconds between two looks at D1 for room, when a tenant's object would refuse bytes. */
export const STORED_BYTES_REFRESH_MS = 1_000;
/** Tokens that one tenant's replies read and write in a day of UTC. */
export const DEFAULT_TOKENS_PER_DAY = 100_000_000;
/** Sessions of one end user: a hundredth of the tenant's, and more than a person opens. */
export const DEFAULT_END_USER_SESSIONS = 1_000;
/** Concurrent replies of one end user: some conversations at a time, and a twentieth of the tenant's. */
export const DEFAULT_END_USER_RUNNING_REPLIES = 10;
/** Bytes that one end user stores, as a percentage of the tenant's `stored_bytes`. */
export const DEFAULT_END_USER_STORED_BYTES_PERCENT = 10;
/** Milliseconds after which a tenant's object reads anew what an end user stores: as the tenant's own bytes. */
export const END_USER_BYTES_STALE_MS = 30_000;
/** End users whose bytes a tenant's object remembers: those who are active at a time, at about 100 bytes each. */
export const MAX_REMEMBERED_END_USERS = 1_000;
/** Maximum value of any quota: all sums stay exact integers. */
export const MAX_QUOTA = 1_000_000_000_000_000;
/**
 * Lifetime of a running reply's lease in milliseconds: three watchdog intervals of its session, each of which renews
 * it.
 */
export const LEASE_MS = 90_000;
/** Milliseconds after which a running reply renews its lease, before its next model call or at the watchdog. */
export const LEASE_RENEWAL_MS = 30_000;
/** Lifetime of the lease of a session that is only read, in milliseconds. Renewed at half of it. */
export const READING_LEASE_MS = 600_000;
/**
 * Milliseconds that the start of a reply waits for the tenant's object; then it proceeds and requests the lease again
 * later.
 */
export const LEASE_WAIT_MS = 2_000;
/**
 * Milliseconds until the next request to a tenant's object that did not answer, so that not every model call waits for
 * it.
 */
export const LEASE_RETRY_MS = 5_000;
/**
 * Milliseconds for which a session continues without reaching its tenant's object: longer than a deploy or the outage
 * of one object, too short for much usage.
 */
export const LEASE_GRACE_MS = 600_000;
/**
 * Milliseconds after which a tenant's object writes leases that it has given: the leases of a second are one commit, and
 * a shorter reply has none on disk.
 */
export const LEASE_WRITE_MS = 1_000;
/** Tokens granted to a running reply at a time: some model calls of an agent with a short context. */
export const TOKEN_GRANT = 50_000;
/** Milliseconds until a reply that waits for a quota checks again: little time is lost when there is room. */
export const QUOTA_RETRY_MS = 30_000;
/**
 * Milliseconds after which a tenant's object rereads the tenant's status from D1, in case a push was lost, while its
 * sessions are in use.
 */
export const TENANT_STATUS_REFRESH_MS = 30_000;
/** Milliseconds for which an isolate caches a tenant's status: as long as an API key. */
export const TENANT_STATUS_CACHE_MS = 30_000;
/** Tenants in an isolate's cache. */
export const MAX_CACHED_TENANTS = 5_000;
/** Sessions that a tenant's object notifies concurrently. */
export const PUSH_SESSIONS = 50;
/** Milliseconds before sessions that could not be notified are notified again. */
export const PUSH_RETRY_MS = 5_000;
/** Milliseconds for which a reply's usage is stored after its last update: longer than calls usually wait. */
export const COUNTED_REPLY_MS = 2_592_000_000;
/** Expired rows (replies, days, keys) that one request of the tenant's object deletes. */
export const TENANT_PURGED_ROWS = 200;
/**
 * Bytes of answers that one tenant's calls beside replies hold in memory at once: an answer takes three times its bytes
 * while it is read and given on, and an isolate has 128 MB for all tenants.
 */
export const MAX_HELD_ANSWER_BYTES = 24_000_000;
/** Bytes of such an answer that are read without asking for room: nearly all answers are smaller. */
export const FREE_ANSWER_BYTES = 65_536;
/** Milliseconds that an answer waits for room while others are read: less than a call may be silent by default. */
export const ANSWER_ROOM_WAIT_MS = 25_000;
/** Milliseconds in which a client takes what was made of a large one: it is in memory meanwhile. */
export const ANSWER_SENDING_MS = 60_000;

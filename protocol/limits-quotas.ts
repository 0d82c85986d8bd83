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

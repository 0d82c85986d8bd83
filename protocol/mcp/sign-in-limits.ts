// Limits of signing in at MCP servers with OAuth. Each with its unit and its reason.

/** Characters of a scope, and of a client's id. */
export const MAX_OAUTH_TEXT_CHARACTERS = 1_024;
/** Characters of an address in an authorization server's metadata, and of its issuer: each is kept with each connection. */
export const MAX_OAUTH_ADDRESS_CHARACTERS = 2_048;
/** Characters of a registered client's id and secret together. */
export const MAX_OAUTH_CLIENT_CHARACTERS = 8_192;
/** Bytes of one answer of an authorization server: metadata, a registration, tokens. */
export const MAX_OAUTH_ANSWER_BYTES = 100_000;
/** Milliseconds of one request to an authorization server. */
export const OAUTH_REQUEST_MS = 10_000;
/** Milliseconds that a call waits for its sign-in: as long as an authorization server's own pages usually hold. */
export const SIGN_IN_MS = 900_000;
/** Milliseconds in which a sign-in has begun: the requests of its discovery together, for which a reply waits. */
export const SIGN_IN_BEGIN_MS = 20_000;
/** Milliseconds before its end at which a token is renewed, so that none expires on its way. */
export const TOKEN_MARGIN_MS = 30_000;
/** Milliseconds for which a token is used whose answer does not say when it expires. */
export const UNSAID_TOKEN_MS = 3_600_000;
/** Milliseconds for which one machine alone may renew a token; after it another tries. */
export const REFRESH_LEASE_MS = 30_000;
/** Milliseconds between two looks at whether another machine has renewed it. */
export const REFRESH_POLL_MS = 250;
/** Characters of the address at which a person signs in: what browsers and servers take, and events and webhooks hold. */
export const MAX_SIGN_IN_URL_CHARACTERS = 8_192;
/** Characters of the parameters with which an authorization server sends a browser back. */
export const MAX_CALLBACK_CHARACTERS = 4_096;
/** Sessions that are told of one sign-in: those that have asked for it last. */
export const MAX_WAITING_SESSIONS = 100;
/** Connections whose sessions are told that their server was deleted; the others' calls end with their time. */
export const MAX_TOLD_CONNECTIONS = 100;
/** Origins of pages that the callback page may hand its code to. */
export const MAX_OPENER_ORIGINS = 8;

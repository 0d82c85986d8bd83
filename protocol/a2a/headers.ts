// Headers of A2A. No zod here.

/** The version of the protocol that the client speaks; a query parameter of this name says the same. */
export const A2A_VERSION_HEADER = "A2A-Version";

/** URIs of extensions that the client takes, after one another with commas. The answer names those that are used. */
export const A2A_EXTENSIONS_HEADER = "A2A-Extensions";

/**
 * Agents of this deployment that have called each other by A2A before this request, as a decimal number; left out for none.
 * Only our own client sends it, to every agent: a deployment has more names than it knows.
 */
export const A2A_DEPTH_HEADER = "Reprise-A2A-Depth";

/** The secret of a push notification's receiver, as its config has named it. */
export const A2A_NOTIFICATION_TOKEN_HEADER = "X-A2A-Notification-Token";

/** The media type of the binding HTTP+JSON, and of push notifications. */
export const A2A_MEDIA_TYPE = "application/a2a+json";

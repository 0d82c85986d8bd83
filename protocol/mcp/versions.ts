// The versions of the Model Context Protocol that the platform speaks, and the two eras that they fall into.

/**
 * `modern`: no handshake and no session, each request says the version that it is in. `legacy`: `initialize` comes first,
 * and the server may give a session.
 */
export type McpEra = "modern" | "legacy";

export const MODERN_VERSION = "2026-07-28";
/** The versions of the older era, newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
];
export const NEWEST_LEGACY_VERSION = "2025-11-25";

/** The form of requests to one server. */
export interface McpDialect {
  readonly era: McpEra;
  readonly version: string;
  /** A server of the older era takes `tools/call` as a task; left out where it does not. */
  readonly tasks?: true;
  /** The server has no stream beside those of requests (405 to a GET); left out where that is not known. */
  readonly noStream?: true;
}

/** JSON-RPC: the server knows no such method. */
export const METHOD_NOT_FOUND = -32_601;
/** The server speaks other versions than that of the request; `data.supported` lists them. */
export const UNSUPPORTED_VERSION = -32_022;

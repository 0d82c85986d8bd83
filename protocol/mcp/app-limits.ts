// Limits of the pages of MCP servers (MCP Apps). Each with its unit and its reason.

/** Characters of a page's address. */
export const MAX_MCP_UI_ADDRESS_CHARACTERS = 2_048;
/** Bytes of the answer with a page: one with its scripts in it has some hundred kilobytes, with a map or charts more. */
export const MAX_MCP_UI_BYTES = 5_000_000;
/** Milliseconds that a page is waited for: a person looks at the place where it will be. */
export const MCP_UI_MS = 15_000;
/** Characters of one list of origins in a page's policy: it is sent in headers, some of them five times. */
export const MAX_MCP_UI_ORIGINS_CHARACTERS = 1_000;

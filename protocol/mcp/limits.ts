// Limits of MCP servers and what they send. Each with its unit and its reason.

/** MCP servers that one agent may name: each is asked for its tools before a reply begins. */
export const MAX_AGENT_MCP_SERVERS = 16;
/** Characters of a server's name: with the name of a tool it has to fit into the 64 of a tool's name. */
export const MAX_MCP_SERVER_NAME_CHARACTERS = 24;
/** Names in one list of an agent's entry (`enable`, `disable`, `sinks`, `permissions`): as many tools as are kept. */
export const MAX_MCP_LISTED_TOOLS = 256;
/** Characters of a tool's own name; the specification recommends 128 at most. */
export const MAX_MCP_TOOL_NAME_CHARACTERS = 128;
/** Tools of one server that are kept; a model is offered 128 of all. No page is asked for behind them. */
export const MAX_MCP_TOOLS = 256;
/** Pages of one catalogue: a server whose cursor never ends is left after so many. */
export const MAX_MCP_LIST_PAGES = 16;
/** MCP servers that a session reads at once: each may hold a whole catalogue in memory. */
export const MAX_MCP_SERVERS_READ = 4;
/** Bytes of one server's catalogue while it is read: all its pages together, unpacked, with what stands around the tools. */
export const MAX_MCP_LISTING_BYTES = 1_000_000;
/**
 * Bytes of a catalogue as it is kept: what was listed, and what the platform adds to each tool. A row of D1, and one of
 * the session's object, has room for it.
 */
export const MAX_MCP_CATALOGUE_BYTES = 1_100_000;
/** Characters of a tool's description; the rest is cut off, since the model is sent it with each call. */
export const MAX_MCP_DESCRIPTION_CHARACTERS = 4_096;
/** JSON values in one message of a server, counted before it is parsed. */
export const MAX_MCP_VALUES = 50_000;
/** Levels of nesting in one message of a server. */
export const MAX_MCP_DEPTH = 64;
/** Milliseconds that a reply waits for the catalogue of a server, from its turn, before it begins without its tools. */
export const MCP_OPEN_MS = 10_000;
/** Milliseconds that a server has to answer `server/discover`, before it is spoken to as one of the older era. */
export const MCP_PROBE_MS = 3_000;
/** Milliseconds for which a catalogue is used when its server does not say. */
export const MCP_CATALOGUE_TTL_MS = 300_000;
/** Milliseconds for which a catalogue is used at most, whatever its server says. */
export const MAX_MCP_CATALOGUE_TTL_MS = 86_400_000;
/** Milliseconds for which a server whose catalogue could not be read is not asked for it again. */
export const MCP_FAILURE_MS = 30_000;
/** Milliseconds of one call in all: progress extends its timeout, but not beyond this. */
export const MAX_MCP_CALL_MS = 600_000;
/** Milliseconds of a message that nobody waits for: a cancellation, the end of a session. */
export const MCP_FAREWELL_MS = 2_000;
/** Events of progress of one call; each is a row of the log. With the pause between them a call reaches its end before. */
export const MAX_MCP_PROGRESS_EVENTS = 700;
/** Events of progress of one call that may follow each other at once. */
export const MCP_PROGRESS_BURST = 20;
/** Milliseconds between two events of progress after that: what is said meanwhile is in the next one. */
export const MCP_PROGRESS_PAUSE_MS = 1_000;
/** Characters of one event of progress, the end of what was said: an agent behind MCP tells its text so. */
export const MAX_MCP_PROGRESS_CHARACTERS = 2_000;
/** Requests of a server during one call, such as for input: one that asks in a loop is left. */
export const MAX_MCP_SERVER_REQUESTS = 16;
/** Messages of a server during one call that are neither its result nor of use. */
export const MAX_MCP_STRAY_MESSAGES = 1_000;
/** Times that a broken stream of one call is taken up again with `Last-Event-ID`. */
export const MAX_MCP_RESUMES = 5;
/** Milliseconds before a broken stream is taken up again, when the server does not say. */
export const MCP_RESUME_DELAY_MS = 500;
/** Milliseconds that a server may ask to wait before that. */
export const MAX_MCP_RESUME_DELAY_MS = 10_000;
/** Milliseconds that a call waits for the other stream of its session to open: questions may come there. */
export const MCP_SIDE_OPEN_MS = 1_000;
/** Milliseconds between tries to open it where the server believes that it is open still. */
export const MCP_SIDE_BUSY_MS = [50, 100, 200] as const;
/** Characters of a server's own text in a failure. */
export const MAX_MCP_MESSAGE_CHARACTERS = 500;
/** Characters of an `Mcp-Session-Id`: it is sent in a header. */
export const MAX_MCP_SESSION_ID_CHARACTERS = 1_024;

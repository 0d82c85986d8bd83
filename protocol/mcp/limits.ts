// Limits of MCP servers: their catalogues and calls, sign-ins at them, what they ask people for, their tasks and their
// pages. Each with its unit and its reason.

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
/** Milliseconds of a message without an answer: a cancellation, the end of a session. */
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
/** Times that a broken stream of one call is resumed with `Last-Event-ID`. */
export const MAX_MCP_RESUMES = 5;
/** Milliseconds before a broken stream is resumed, when the server does not say. */
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

/** Seconds that a server's question waits when the agent's entry does not say. */
export const DEFAULT_ELICITATION_TTL_SECONDS = 600;
/** Seconds that one may wait: an older server holds a connection open meanwhile. */
export const MAX_ELICITATION_TTL_SECONDS = 3_600;
/** Questions of one call; a server that asks in a loop is left. */
export const MAX_INPUT_ROUNDS = 8;
/** Questions of one result, which are answered together. */
export const MAX_INPUT_REQUESTS = 8;
/** Characters of a question's key, which the server chooses. */
export const MAX_INPUT_KEY_CHARACTERS = 200;
/** Characters of a question; the rest is cut off. */
export const MAX_INPUT_MESSAGE_CHARACTERS = 2_000;
/** Fields of one form. */
export const MAX_INPUT_FIELDS = 32;
/** Choices of one field. */
export const MAX_INPUT_OPTIONS = 200;
/** Characters of a field's name, title, description or default; longer texts are cut, longer names refused. */
export const MAX_INPUT_LABEL_CHARACTERS = 500;
/** Bytes of a form as JSON Schema. */
export const MAX_INPUT_SCHEMA_BYTES = 16_384;
/** Characters of a link. */
export const MAX_INPUT_URL_CHARACTERS = 2_048;
/** Bytes of the answers to one question, as JSON. */
export const MAX_INPUT_ANSWER_BYTES = 65_536;
/** Bytes of a server's `requestState`, which is kept while a person thinks. */
export const MAX_REQUEST_STATE_BYTES = 262_144;

/** Milliseconds between two looks at a task when its server does not say. */
export const MCP_TASK_POLL_MS = 5_000;
/** Milliseconds between two looks at a task at least, whatever its server says: each wakes the session. */
export const MIN_MCP_TASK_POLL_MS = 1_000;
/** Milliseconds between two looks at a task at most: a result is not late by more. */
export const MAX_MCP_TASK_POLL_MS = 60_000;
/** The part of a task's age after which it is looked at again: one that takes hours is asked for less often. */
export const MCP_TASK_POLL_SHARE = 0.05;
/** Milliseconds of one look at a task: it is a short answer. A look that is lost with its machine is made again after it. */
export const MCP_TASK_LOOK_MS = 10_000;
/** Milliseconds that a task may take in all; its server may say less. */
export const MAX_MCP_TASK_MS = 86_400_000;
/** Milliseconds that a task is given at least, whatever its server says: two looks. */
export const MIN_MCP_TASK_MS = 2_000;
/** Milliseconds for which a server may not answer for a task before its call ends: a deploy, and more. */
export const MCP_TASK_SILENCE_MS = 900_000;
/** Times that a call may go on with a task that has no result then: its server says this and that. */
export const MAX_MCP_TASK_ROUNDS = 32;
/** Characters of a task's id: newer servers are sent it in a header. */
export const MAX_MCP_TASK_ID_CHARACTERS = 1_024;
/** Characters of what a server says of a task, on one line. */
export const MAX_MCP_TASK_MESSAGE_CHARACTERS = 200;

/** Characters of a page's address. */
export const MAX_MCP_UI_ADDRESS_CHARACTERS = 2_048;
/** Bytes of the answer with a page: one with its scripts in it has some hundred kilobytes, with a map or charts more. */
export const MAX_MCP_UI_BYTES = 5_000_000;
/** Milliseconds that a page is waited for: a person looks at the place where it will be. */
export const MCP_UI_MS = 15_000;
/** Characters of one list of origins in a page's policy: it is sent in headers, some of them five times. */
export const MAX_MCP_UI_ORIGINS_CHARACTERS = 1_000;

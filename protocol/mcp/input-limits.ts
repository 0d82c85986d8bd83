// Limits of what MCP servers ask people for. Each with its unit.

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

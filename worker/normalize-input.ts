// Clients of every AgentScope document may post: their names become today's before the schema looks.
import { changeMember, isJsonObject } from "../protocol/dialects/json-object.ts";
import { normalizeBlock } from "../protocol/dialects/normalize-block.ts";
import { normalizeMessage } from "../protocol/dialects/normalize-message.ts";

/** The body of `POST …/replies` with its input in today's names. Checks nothing. */
export function normalizeReplyBody(body: unknown): unknown {
  return isJsonObject(body) ? changeMember(body, "input", normalizeInput) : body;
}

function normalizeInput(input: unknown): unknown {
  return Array.isArray(input) ? input.map(normalizeItem) : normalizeItem(input);
}

/** Blocks have a type and no role; whatever else there is, the schema judges as a message. */
function normalizeItem(item: unknown): unknown {
  const isBlock = isJsonObject(item) && Object.hasOwn(item, "type") && !Object.hasOwn(item, "role");
  return isBlock ? normalizeBlock(item) : normalizeMessage(item);
}

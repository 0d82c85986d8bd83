// Normalises messages of any AgentScope document to today's names. Does not validate: the schema does.
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { changeItems, changeMember, dropKeys, renameKeys } from "./json-object.ts";
import { MESSAGE_KEYS, USAGE_KEYS, canonicalEnum } from "./legacy-names.ts";
import { normalizeBlock } from "./normalize-block.ts";
import { takeOwnMembers } from "./own-members.ts";
import { GENERATE_REASON } from "./to-agentscope-java-message.ts";

/** The members that a message in Java's form carries for us. No other one is taken from there. */
const CARRIED = [
  "created_at",
  "finished_at",
  "finished_reason",
  "error",
  "structured_output",
  "metadata",
];

/**
 * Normalises one message. A Java message without a name gets its role as name; any value but a JSON object is returned
 * unchanged.
 */
export function normalizeMessage(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  let message = renameKeys(value, MESSAGE_KEYS);
  message = changeMember(message, "role", canonicalRole);
  message = changeMember(message, "created_at", isoTime);
  message = changeMember(message, "finished_reason", canonicalEnum);
  message = changeMember(message, "usage", normalizeUsage);
  message = changeItems(message, "content", normalizeBlock);
  if (isFromVersion1(value)) return fromVersion1(message);
  return message["role"] === value["role"] ? message : fromJava(message);
}

/**
 * Java's `TOOL` role marks a message of results; today results are blocks of the assistant's message. Lower-case `tool`
 * is no role in any document and stays, for the schema to refuse.
 */
export function canonicalRole(role: unknown): unknown {
  return role === "TOOL" ? "assistant" : canonicalEnum(role);
}

/** The message with a text as its content as one block, as AgentScope reads it. Any other value is returned unchanged. */
export function withContentBlocks(message: unknown): unknown {
  if (!isJsonObject(message)) return message;
  return changeMember(message, "content", (content) =>
    typeof content === "string" ? [{ type: "text", text: content }] : content,
  );
}

/** Only 1.x has a `timestamp` and roles in lower case. */
function isFromVersion1({ role, timestamp, created_at, createdAt }: JsonObject): boolean {
  const hasRole = role === "user" || role === "assistant" || role === "system";
  return hasRole && typeof timestamp === "string" && (created_at ?? createdAt) === undefined;
}

/** Results of tools are messages of the role `system` in 1.x; they have no state, for they are complete. */
function fromVersion1(message: JsonObject): unknown {
  const { content } = message;
  const hasResultsAlone = Array.isArray(content) && content.length > 0 && content.every(isResult);
  const role = hasResultsAlone ? "assistant" : message["role"];
  return withContentBlocks(changeItems(withMetadata({ ...message, role }), "content", asEnded));
}

function fromJava(message: JsonObject): JsonObject {
  const { rest, own } = takeOwnMembers(message);
  const carried = Object.fromEntries(
    Object.entries(own).filter(([name]) => CARRIED.includes(name)),
  );
  const isOurs = Object.keys(carried).length > 0;
  const known = isOurs ? changeItems(withoutReason(rest), "content", withOwnThought) : rest;
  const named = (known["name"] ?? null) === null ? { ...known, name: known["role"] } : known;
  return { ...changeItems(withMetadata(named), "content", asEnded), ...carried };
}

function withMetadata(message: JsonObject): JsonObject {
  return message["metadata"] === null ? dropKeys(message, ["metadata"]) : message;
}

/** The reason is in the members that were carried. */
function withoutReason(message: JsonObject): JsonObject {
  return changeMember(message, "metadata", (metadata) =>
    isJsonObject(metadata) ? dropKeys(metadata, [GENERATE_REASON]) : metadata,
  );
}

/** Our own translation had put a provider's members into the thought's metadata. */
function withOwnThought(block: unknown): unknown {
  if (!isJsonObject(block) || block["type"] !== "thinking") return block;
  const { metadata, ...thought } = block;
  return isJsonObject(metadata) ? { ...metadata, ...thought } : block;
}

function isResult(block: unknown): boolean {
  return isJsonObject(block) && block["type"] === "tool_result";
}

/** A result without a state is complete. */
function asEnded(block: unknown): unknown {
  const isEnded = isJsonObject(block) && isResult(block) && (block["state"] ?? null) === null;
  return isEnded ? { ...block, state: "success" } : block;
}

/** Java's `2026-01-31 12:00:00.000` → ISO 8601 without a time zone. */
function isoTime(time: unknown): unknown {
  return typeof time === "string"
    ? time.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/, "$1T$2")
    : time;
}

function normalizeUsage(usage: unknown): unknown {
  return isJsonObject(usage) ? renameKeys(usage, USAGE_KEYS) : usage;
}

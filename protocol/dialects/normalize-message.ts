// Normalises messages of any AgentScope document to today's names. Does not validate: the schema does.
import { isJsonObject } from "../json-object.ts";
import { changeItems, changeMember, renameKeys } from "./json-object.ts";
import { MESSAGE_KEYS, USAGE_KEYS, canonicalEnum } from "./legacy-names.ts";
import { normalizeBlock } from "./normalize-block.ts";

/**
 * Normalises one message. A Java message without a name gets its role as name; a string as content stays one, for the
 * schema to refuse; any value but a JSON object is returned unchanged.
 */
export function normalizeMessage(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  let message = renameKeys(value, MESSAGE_KEYS);
  message = changeMember(message, "role", canonicalRole);
  message = changeMember(message, "created_at", isoTime);
  message = changeMember(message, "finished_reason", canonicalEnum);
  message = changeMember(message, "usage", normalizeUsage);
  message = changeItems(message, "content", normalizeBlock);
  const isJava = message["role"] !== value["role"];
  return isJava && (message["name"] ?? null) === null
    ? { ...message, name: message["role"] }
    : message;
}

/**
 * Java's `TOOL` role marks a message of results; today results are blocks of the assistant's message. Lower-case `tool`
 * is no role in any document and stays, for the schema to refuse.
 */
export function canonicalRole(role: unknown): unknown {
  return role === "TOOL" ? "assistant" : canonicalEnum(role);
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

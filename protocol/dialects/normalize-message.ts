// Messages of any AgentScope document → today's. Checks nothing: that is the schema's work.
import { changeItems, changeMember, isJsonObject, renameKeys } from "./json-object.ts";
import { MESSAGE_KEYS, USAGE_KEYS, canonicalEnum } from "./legacy-names.ts";
import { normalizeBlock } from "./normalize-block.ts";

/**
 * One message in today's names and shape. A Java message may lack a name and then gets its role's; a content
 * that is a string stays one, for the schema to refuse; whatever is no JSON object comes back as it is.
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
 * Java's `TOOL` is a message of its own that holds results; today results are blocks of the assistant's
 * message. The lower-case `tool` is no role in any document and stays, for the schema to refuse.
 */
export function canonicalRole(role: unknown): unknown {
  return role === "TOOL" ? "assistant" : canonicalEnum(role);
}

/** Java's `2026-01-31 12:00:00.000` → ISO 8601, as naive as it was. */
function isoTime(time: unknown): unknown {
  return typeof time === "string"
    ? time.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/, "$1T$2")
    : time;
}

function normalizeUsage(usage: unknown): unknown {
  return isJsonObject(usage) ? renameKeys(usage, USAGE_KEYS) : usage;
}

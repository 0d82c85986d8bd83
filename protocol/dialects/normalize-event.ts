// Normalises events of any AgentScope document to today's names. Does not validate: the schema does.
import { fromJavaEvent, isJavaEvent } from "./agentscope-java.ts";
import { isJsonObject } from "../json-object.ts";
import { changeItems, changeMember, renameKeys } from "./json-object.ts";
import {
  CONFIRM_RESULT_KEYS,
  EVENT_KEYS,
  EVENT_TYPE_ALIASES,
  canonicalEnum,
} from "./legacy-names.ts";
import { canonicalRole } from "./normalize-message.ts";
import { normalizeBlock, normalizeRule } from "./normalize-block.ts";

/** Types that only Java has; they need Java's translation even without a camelCase member. */
const JAVA_TYPES: ReadonlySet<unknown> = new Set([
  "AGENT_START",
  "AGENT_END",
  "AGENT_RESULT",
  "ALL_TOOLS_DENIED",
  "REQUEST_STOP",
  "SUBAGENT_EXPOSED",
  "THREAD_EXPOSED",
]);

/**
 * Normalises one event. Free-form members (metadata, a CUSTOM event's value, a call's input) and unknown types stay
 * unchanged; any value but a JSON object is returned unchanged.
 */
export function normalizeEvent(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const named = changeMember(renameKeys(value, EVENT_KEYS), "type", canonicalType);
  const isJava = JAVA_TYPES.has(value["type"]) || isJavaEvent(value);
  const event = isJava ? fromJavaEvent(named) : named;
  switch (event["type"]) {
    case "REPLY_START":
      return changeMember(event, "role", canonicalRole);
    case "REPLY_END":
    case "MODEL_CALL_END":
      return changeMember(event, "finished_reason", canonicalEnum);
    case "HINT_BLOCK":
      return changeItems(event, "hint", normalizeBlock);
    case "TOOL_RESULT_END":
      return changeMember(event, "state", canonicalEnum);
    case "REQUIRE_USER_CONFIRM":
    case "REQUIRE_EXTERNAL_EXECUTION":
      return changeItems(event, "tool_calls", normalizeBlock);
    case "USER_CONFIRM_RESULT":
      return changeItems(event, "confirm_results", normalizeConfirmResult);
    case "EXTERNAL_EXECUTION_RESULT":
      return changeItems(event, "execution_results", normalizeBlock);
    default:
      return event;
  }
}

function canonicalType(type: unknown): unknown {
  return (typeof type === "string" && EVENT_TYPE_ALIASES.get(type)) || type;
}

function normalizeConfirmResult(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const result = changeMember(renameKeys(value, CONFIRM_RESULT_KEYS), "tool_call", normalizeBlock);
  return changeItems(result, "rules", normalizeRule);
}

// Reads events of AgentScope for Java that differ from ours by more than names; `java-translator.ts` writes them.
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { dropKeys, renameKeys } from "./json-object.ts";
import { USAGE_KEYS } from "./legacy-names.ts";
import { normalizeBlock } from "./normalize-block.ts";
import { takeOwnMembers } from "./own-members.ts";

/** Event types that only Java has; they become CUSTOM events named in lower case. */
const JAVA_ONLY_TYPES: ReadonlySet<unknown> = new Set([
  "SUBAGENT_EXPOSED",
  "REQUEST_STOP",
  "ALL_TOOLS_DENIED",
  "AGENT_RESULT",
]);

const BASE_KEYS = ["id", "created_at", "metadata", "visibility", "type", "reply_id", "seq"];
const UNKNOWN_MEDIA = "application/octet-stream";

/** Only Java uses camelCase members. */
export function isJavaEvent(event: JsonObject): boolean {
  return Object.hasOwn(event, "replyId") || Object.hasOwn(event, "createdAt");
}

/**
 * Converts a Java event whose type and members already have today's names.
 *
 * The path of a forwarding sub-agent (`source`) moves into the metadata, where it does not clash with a hint's source;
 * so do `maxIters` and `currentIter`. Members that Java omits and our schema requires are filled with neutral values:
 * an empty name, zero tokens. Members that our own translation had stored in the metadata are restored, and take
 * precedence.
 */
export function fromJavaEvent(javaEvent: JsonObject): JsonObject {
  const { rest, own } = takeOwnMembers(javaEvent);
  return { ...withoutOwnMembers(rest), ...own };
}

function withoutOwnMembers(javaEvent: JsonObject): JsonObject {
  if (JAVA_ONLY_TYPES.has(javaEvent["type"])) return customEvent(javaEvent);
  const event = moveSource(javaEvent);
  switch (event["type"]) {
    case "REPLY_START":
      return { ...event, session_id: event["session_id"] ?? "", name: event["name"] ?? "" };
    case "REPLY_END":
      return { ...event, session_id: event["session_id"] ?? "" };
    case "MODEL_CALL_END":
      return flatUsage(event);
    case "DATA_BLOCK_START":
    case "DATA_BLOCK_DELTA":
      return { ...event, media_type: event["media_type"] ?? UNKNOWN_MEDIA };
    case "TOOL_RESULT_DATA_DELTA":
      return flatData(event);
    case "HINT_BLOCK":
      return { ...dropKeys(event, ["hintSource"]), source: event["hintSource"] ?? null };
    case "EXCEED_MAX_ITERS": {
      const { maxIters, currentIter } = event;
      return {
        ...dropKeys(event, ["maxIters", "currentIter"]),
        name: event["name"] ?? "",
        metadata: withMembers(event["metadata"], {
          max_iters: maxIters,
          current_iter: currentIter,
        }),
      };
    }
    default:
      return event;
  }
}

/** The event's own members become the value, under the names that Java gave them. */
function customEvent(event: JsonObject): JsonObject {
  const base = Object.fromEntries(
    BASE_KEYS.filter((key) => Object.hasOwn(event, key)).map((key) => [key, event[key]]),
  );
  return {
    ...base,
    type: "CUSTOM",
    name: String(event["type"]).toLowerCase(),
    value: dropKeys(event, BASE_KEYS),
  };
}

function moveSource(event: JsonObject): JsonObject {
  if (!Object.hasOwn(event, "source")) return event;
  const { source } = event;
  return {
    ...dropKeys(event, ["source"]),
    metadata: withMembers(event["metadata"], { source: source ?? undefined }),
  };
}

/** Existing members take precedence; undefined ones are not written. */
function withMembers(metadata: unknown, members: JsonObject): unknown {
  const added = Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  );
  if (metadata === undefined || metadata === null) return added;
  return isJsonObject(metadata) ? { ...added, ...metadata } : metadata;
}

/** `{usage: {inputTokens, …}}` → counters on the event. */
function flatUsage(event: JsonObject): JsonObject {
  const { usage } = event;
  const counters = isJsonObject(usage) ? renameKeys(usage, USAGE_KEYS) : {};
  const flat = Object.fromEntries(
    [...USAGE_KEYS.values()]
      .map((key) => [key, event[key] ?? counters[key]] as const)
      .filter(([, value]) => value !== undefined && value !== null),
  );
  return { ...dropKeys(event, ["usage"]), input_tokens: 0, output_tokens: 0, ...flat };
}

/** A whole content block in `data` → today's `data` or `url`, or a text delta. */
function flatData(event: JsonObject): JsonObject {
  const block = normalizeBlock(event["data"]);
  if (!isJsonObject(block)) return event;
  if (block["type"] === "text") {
    const delta = { ...event, type: "TOOL_RESULT_TEXT_DELTA", delta: block["text"] };
    return dropKeys(delta, ["data", "url", "block_id", "media_type"]);
  }
  const { source } = block;
  if (!isJsonObject(source)) return event;
  const block_id = event["block_id"] ?? block["id"];
  return {
    ...event,
    ...(block_id !== undefined && { block_id }),
    media_type: source["media_type"],
    data: source["data"] ?? null,
    url: source["url"] ?? null,
  };
}

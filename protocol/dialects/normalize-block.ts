// Normalises content blocks of any AgentScope document to today's names. Does not validate: the schema does.
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { changeItems, changeMember, dropKeys, renameKeys } from "./json-object.ts";
import { BLOCK_KEYS, RULE_KEYS, SOURCE_KEYS, canonicalEnum } from "./legacy-names.ts";
import { objectOf } from "./object-of.ts";
import { takeOwnMembers } from "./own-members.ts";

/** Media types for old image, audio and video blocks when neither source nor URL tells. */
const LEGACY_MEDIA: ReadonlyMap<unknown, string> = new Map([
  ["image", "image/png"],
  ["audio", "audio/wav"],
  ["video", "video/mp4"],
]);

const MEDIA_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["mp3", "audio/mpeg"],
  ["wav", "audio/wav"],
  ["ogg", "audio/ogg"],
  ["mp4", "video/mp4"],
  ["webm", "video/webm"],
  ["pdf", "application/pdf"],
]);
const UNKNOWN_MEDIA = "application/octet-stream";

/** Normalises one block; any value but a JSON object is returned unchanged. */
export function normalizeBlock(value: unknown): unknown {
  const block = normalizeLeaf(value);
  if (!isJsonObject(block)) return block;
  switch (block["type"]) {
    case "tool_use":
      return normalizeToolUse(block);
    case "tool_call":
      return normalizeToolCall(block);
    case "tool_result":
      return changeMember(changeItems(block, "output", normalizeLeaf), "state", canonicalEnum);
    case "hint":
      return changeItems(block, "hint", normalizeLeaf);
    default:
      return block;
  }
}

/** Normalises a permission rule of a block or a confirmation. */
export function normalizeRule(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return changeMember(renameKeys(value, RULE_KEYS), "behavior", canonicalEnum);
}

/** Nested blocks are text or data only; not recursing further bounds the stack on hostile input. */
function normalizeLeaf(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const block = renameKeys(value, BLOCK_KEYS);
  const fallback = LEGACY_MEDIA.get(block["type"]);
  if (fallback !== undefined) {
    return normalizeSource({ ...block, type: "data" }, fallback);
  }
  return block["type"] === "data" ? normalizeSource(block, UNKNOWN_MEDIA) : block;
}

function normalizeSource(block: JsonObject, fallback: string): JsonObject {
  return changeMember(block, "source", (value) => {
    if (!isJsonObject(value)) return value;
    const source = renameKeys(value, SOURCE_KEYS);
    if (typeof source["media_type"] === "string") return source;
    return { ...source, media_type: mediaTypeOf(source["url"]) ?? fallback };
  });
}

/** The media type by the URL's file extension, if known. */
function mediaTypeOf(url: unknown): string | undefined {
  if (typeof url !== "string" || url.startsWith("data:")) return undefined;
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return MEDIA_BY_EXTENSION.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}

/** Java's tool call; members that our own translation had stored in its metadata are restored. */
function normalizeToolUse(block: JsonObject): JsonObject {
  const { rest, own } = takeOwnMembers({ ...block, type: "tool_call" });
  return { ...normalizeToolCall(rest), ...own, type: "tool_call" };
}

/**
 * `input` becomes JSON text. The text that the model wrote, Java's `content` or the `raw_input` of 1.x, takes precedence
 * over the parsed object.
 */
function normalizeToolCall(block: JsonObject): JsonObject {
  const { content, raw_input, input } = block;
  const written = isText(content)
    ? content
    : isText(raw_input)
      ? writtenText(raw_input, input)
      : null;
  const call = {
    ...dropKeys(block, ["content", "raw_input"]),
    input: written ?? inputText(input),
  };
  return changeItems(changeMember(call, "state", canonicalEnum), "suggested_rules", normalizeRule);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The text of 1.x's `raw_input`; null where 1.x has put it right, and has called the tool with another `input`. */
function writtenText(text: string, input: unknown): string | null {
  const isEmpty = !isJsonObject(input) || Object.keys(input).length === 0;
  return isEmpty || Object.keys(objectOf(text)).length > 0 ? text : null;
}

function inputText(input: unknown): unknown {
  if (typeof input === "string") return input;
  return isJsonObject(input) ? JSON.stringify(input) : input;
}

// The request of a model call as a hook is shown it: in no provider's form, and of a bounded size.
import { MAX_HOOK_REQUEST_BYTES } from "../../protocol/hooks/limits.ts";
import {
  STRUCTURED_OUTPUT_TOOL,
  type JsonSchema,
} from "../../protocol/schemas/structured-output.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { cutMiddle } from "../context/cut-middle.ts";
import { evenShare } from "../context/even-share.ts";
import type { ModelRequest } from "../ports.ts";
import type { ShownModelRequest } from "./hook-runner.ts";
import { showMessage } from "./shown.ts";

interface ShownRequest {
  readonly request: ShownModelRequest;
  /** Says what is left out, where something is. */
  readonly note?: string;
  /** The JSON text of all of it, by which the request is known again. */
  readonly whole: string;
}

interface Cut {
  readonly leavesOut: string;
  /** The request itself where it has nothing of the kind. */
  readonly from: (request: ShownModelRequest) => ShownModelRequest;
}

/** A text of so many UTF-16 units is never cut: a name, an id, a sentence. */
const SHORT_CHARACTERS = 256;

/** From what a hook misses least: media it can hardly read, and older messages were new in an earlier request. */
const CUTS: readonly Cut[] = [
  { leavesOut: "the data of media", from: withoutMedia },
  { leavesOut: "the oldest messages", from: withoutOldest },
  { leavesOut: "the middle of long texts", from: withShortTexts },
  { leavesOut: "the schemas", from: withoutSchemas },
  { leavesOut: "all messages and tools", from: withoutLists },
];

/**
 * Pure. As much of the request as a hook is shown at most.
 * @param reader The word of the note for who is shown it.
 */
export function showRequest(
  { system_prompt, messages, tools, tool_choice, options }: ModelRequest,
  structured: JsonSchema | null,
  reader = "a hook",
): ShownRequest {
  const isAsked = tools.some(({ name }) => name === STRUCTURED_OUTPUT_TOOL);
  const request: ShownModelRequest = {
    system_prompt,
    messages: messages.map(showMessage),
    tools: tools.map(({ name, description, input_schema }) => ({
      name,
      description,
      input_schema,
    })),
    tool_choice: tool_choice === undefined ? (options?.tool_choice ?? null) : { name: tool_choice },
    structured_schema: isAsked ? structured : null,
  };
  const whole = JSON.stringify(request);
  const bytes = utf8Bytes(whole);
  return bytes <= MAX_HOOK_REQUEST_BYTES
    ? { request, whole }
    : { ...cut(request, bytes, reader), whole };
}

function cut(
  request: ShownModelRequest,
  bytes: number,
  reader: string,
): Omit<ShownRequest, "whole"> {
  const leftOut: string[] = [];
  let shown = request;
  for (const { leavesOut, from } of CUTS) {
    const smaller = from(shown);
    if (smaller !== shown) leftOut.push(leavesOut);
    shown = smaller;
    if (fits(shown)) break;
  }
  const size = `The request has ${bytes} bytes, and ${reader} is shown ${MAX_HOOK_REQUEST_BYTES} at most.`;
  return { request: shown, note: `${size} Left out: ${leftOut.join(", ")}.` };
}

function fits(request: ShownModelRequest): boolean {
  return sizeOf(request) <= MAX_HOOK_REQUEST_BYTES;
}

function withoutMedia(request: ShownModelRequest): ShownModelRequest {
  let isCut = false;
  const withoutData: Change = (value) => {
    const { type, data } = value as { readonly type?: unknown; readonly data?: unknown };
    if (type !== "base64" || typeof data !== "string" || data === "") return value;
    isCut = true;
    return { ...value, data: "" };
  };
  const messages = changed(request.messages, { object: withoutData });
  return isCut ? { ...request, messages } : request;
}

/** The messages behind the last answer but one stay: what the reply answers, and the reply so far. */
function withoutOldest(request: ShownModelRequest): ShownModelRequest {
  const { messages } = request;
  const isUser = messages.map(({ role }) => role === "user");
  const before = isUser.slice(0, isUser.lastIndexOf(true)).lastIndexOf(false) + 1;
  const room = MAX_HOOK_REQUEST_BYTES - sizeOf({ ...request, messages: [] });
  let bytes = 0;
  let first = messages.length;
  while (first > 0) {
    // With the comma behind it.
    bytes += sizeOf(messages[first - 1]) + 1;
    if (bytes > room && first <= before) break;
    first -= 1;
  }
  return first === 0 ? request : { ...request, messages: messages.slice(first) };
}

/** Long texts get the same room each. What they take as JSON differs from letter to letter, so it is tried. */
function withShortTexts(request: ShownModelRequest): ShownModelRequest {
  const sizes = longTexts(request).map(sizeOf);
  if (sizes.length === 0) return request;
  const rest = sizeOf(request) - sizes.reduce((sum, size) => sum + size, 0);
  const room = Math.max(MAX_HOOK_REQUEST_BYTES - rest, 0);
  for (let share = evenShare(sizes, room); ; share /= 2) {
    const text = (long: string): string => {
      if (long.length <= SHORT_CHARACTERS) return long;
      const characters = Math.floor((long.length * share) / sizeOf(long));
      return cutMiddle(long, Math.max(characters, SHORT_CHARACTERS));
    };
    const shown = changed(request, { text });
    if (share < SHORT_CHARACTERS || fits(shown)) return shown;
  }
}

function longTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return value.length > SHORT_CHARACTERS ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(longTexts);
}

type Change = (value: object) => object;

/** A copy, each object and each text of which is what these make of it. */
function changed<Value>(
  value: Value,
  by: { readonly object?: Change; readonly text?: (text: string) => string },
): Value;
function changed(value: unknown, by: Parameters<typeof changed>[1]): unknown {
  if (typeof value === "string") return by.text ? by.text(value) : value;
  if (Array.isArray(value)) return value.map((one: unknown) => changed(one, by));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(by.object ? by.object(value) : value);
  return Object.fromEntries(members.map(([name, one]) => [name, changed(one, by)] as const));
}

function withoutSchemas(request: ShownModelRequest): ShownModelRequest {
  const tools = request.tools.map((tool) => ({ ...tool, input_schema: {} }));
  return { ...request, tools, structured_schema: request.structured_schema && {} };
}

function withoutLists(request: ShownModelRequest): ShownModelRequest {
  return { ...request, messages: [], tools: [] };
}

function sizeOf(value: unknown): number {
  return utf8Bytes(JSON.stringify(value));
}

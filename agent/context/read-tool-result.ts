// The tool with which a model reads what was cut off a large tool result: by position, or by search.
import {
  MAX_RESULT_PLACES,
  MAX_SEARCHED_CHARACTERS,
  MAX_SEARCH_CHARACTERS,
  PLACE_CONTEXT_CHARACTERS,
  READ_RESULT_CHARACTERS,
} from "../../protocol/context/limits.ts";
import { READ_TOOL_RESULT_TOOL } from "../../protocol/tools/tool-result-reading.ts";
import type { ToolDeclaration } from "../ports.ts";

/** A checked input of the tool. */
export interface ReadToolResultInput {
  readonly tool_call_id: string;
  /** UTF-16 units from the beginning; 0 when left out. */
  readonly offset?: number;
  /** UTF-16 units. */
  readonly length?: number;
  readonly search?: string;
}

export const READ_TOOL_RESULT: ToolDeclaration = {
  name: READ_TOOL_RESULT_TOOL,
  description:
    "Reads a tool result that was too long to be shown whole: the characters from an offset on, or the places where a " +
    "text occurs.",
  input_schema: {
    type: "object",
    properties: {
      tool_call_id: { type: "string", description: "The id of the call whose result is read." },
      offset: { type: "integer", minimum: 0, description: "The first character; 0 by default." },
      length: {
        type: "integer",
        minimum: 1,
        description: `The number of characters; ${READ_RESULT_CHARACTERS} by default.`,
      },
      search: {
        type: "string",
        minLength: 1,
        maxLength: MAX_SEARCH_CHARACTERS,
        description:
          "A text to find from the offset on, with the same case. Its places are returned.",
      },
    },
    required: ["tool_call_id"],
    additionalProperties: false,
  },
  read_only: true,
  concurrency_safe: true,
  idempotent: true,
};

/**
 * The answer to a call.
 * @param text The whole text of the result.
 * @param room UTF-16 units that the answer may have.
 */
export function readResultText(text: string, input: ReadToolResultInput, room: number): string {
  const { offset = 0, search } = input;
  if (offset >= text.length) return `The result has ${text.length} characters.`;
  return search === undefined
    ? readRange(text, { offset, length: Math.min(input.length ?? READ_RESULT_CHARACTERS, room) })
    : findPlaces(text, { offset, search, room });
}

function readRange(text: string, range: { offset: number; length: number }): string {
  const start = isInsidePair(text, range.offset) ? range.offset - 1 : range.offset;
  let end = Math.min(text.length, start + range.length);
  // Of a pair that would be halved at least one is read, or the next call would begin here again.
  if (isInsidePair(text, end)) end += end - 1 > start ? -1 : 1;
  const more = end < text.length ? ` More from offset ${end} on.` : "";
  return `Characters ${start} to ${end} of ${text.length}.${more}\n${text.slice(start, end)}`;
}

/** Whether the position is between the halves of a surrogate pair. */
function isInsidePair(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1);
  const after = text.charCodeAt(position);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

function findPlaces(
  text: string,
  { offset, search, room }: { offset: number; search: string; room: number },
): string {
  const searched = Math.min(text.length, offset + MAX_SEARCHED_CHARACTERS);
  const part = text.slice(offset, searched);
  const lines: string[] = [];
  let next = searched < text.length ? Math.max(offset + 1, searched - search.length + 1) : null;
  let used = 0;
  for (let at = part.indexOf(search); at !== -1; at = part.indexOf(search, at + search.length)) {
    const place = offset + at;
    const long = `${place}: ${JSON.stringify(around(text, place, search.length))}`;
    // The first place is always told, or the next search would find it again.
    const isAlone = lines.length === 0 && long.length > room;
    const line = isAlone ? `${place}: ${JSON.stringify(search)}` : long;
    const isFull = lines.length === MAX_RESULT_PLACES || used + line.length > room;
    if (isFull && !isAlone) {
      next = place;
      break;
    }
    used += line.length + 1;
    lines.push(line);
  }
  const found = ["No place", "1 place"][lines.length] ?? `${lines.length} places`;
  const more = next === null ? "" : ` Search again from offset ${next} for more.`;
  return [`${found} in characters ${offset} to ${next ?? searched}.${more}`, ...lines].join("\n");
}

function around(text: string, at: number, length: number): string {
  return text.slice(
    Math.max(0, at - PLACE_CONTEXT_CHARACTERS),
    at + length + PLACE_CONTEXT_CHARACTERS,
  );
}

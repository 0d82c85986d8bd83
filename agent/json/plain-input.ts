// The input text of a call as people and external systems get it. It is rewritten where JSON parsers disagree about a
// text, so that the checked, the shown and the executed value are the same.
import { TOOL_CALL_EDITED } from "../../protocol/fold/append-custom.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { closingQuote } from "../../protocol/json-shape.ts";
import { exactText } from "../exact-number.ts";
import { parseJson } from "./parse-input.ts";
import type { ReplyState } from "../state/reply-state.ts";

/**
 * Rewrites a text that parsers may read differently: one that is no JSON object as it stands, or an object with a
 * duplicate member, of which some parsers take the first and some the last.
 * @param input The checked value.
 * @returns The checked value's text and the event that replaces the call's input; null when the text is unambiguous.
 */
export function rewriteInput(
  { message }: ReplyState,
  call: ToolCallBlock,
  input: unknown,
): { readonly text: string; readonly event: EventDraft } | null {
  if (call.input.trimStart().startsWith("{") && isPlain(call.input)) return null;
  const text = JSON.stringify(input);
  const value = { reply_id: message.id, tool_call_id: call.id, input: text };
  const event = { type: "CUSTOM", name: TOOL_CALL_EDITED, reply_id: message.id, value } as const;
  return { text, event };
}

/** Whether the text is valid JSON without duplicate members. */
export function isPlain(text: string): boolean {
  const parsed = parseJson(text);
  return parsed.ok && countColons(text) === countMembers(parsed.input);
}

/** Colons outside of strings: one for each member as written. */
function countColons(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '"') index = closingQuote(text, index + 1);
    else if (text[index] === ":") count += 1;
  }
  return count;
}

/** Iterative, since a model may nest at any depth. */
function countMembers(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null || exactText(next) !== null) continue;
    const members = Object.values(next);
    if (!Array.isArray(next)) count += members.length;
    for (const member of members) open.push(member);
  }
  return count;
}

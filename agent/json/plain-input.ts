// A call's input as people and systems outside get it. What the rules were held against, what is shown and what runs
// have to be one thing for every reader of JSON.
import { TOOL_CALL_EDITED } from "../../protocol/fold/append-custom.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { closingQuote } from "../../protocol/json-shape.ts";
import { parseJson } from "./parse-input.ts";
import type { ReplyState } from "../state/reply-state.ts";

/**
 * Rewrites a text that readers may understand differently: broken JSON, which was repaired before it was checked, or a
 * member that is there twice, of which some take the first and some the last.
 * @param input What was checked.
 * @returns The checked input's text and the event that puts it into the call; null for a plain text.
 */
export function rewriteInput(
  { message }: ReplyState,
  call: ToolCallBlock,
  input: unknown,
): { readonly text: string; readonly event: EventDraft } | null {
  if (isPlain(call.input)) return null;
  const text = JSON.stringify(input);
  const value = { reply_id: message.id, tool_call_id: call.id, input: text };
  const event = { type: "CUSTOM", name: TOOL_CALL_EDITED, reply_id: message.id, value } as const;
  return { text, event };
}

/** Whether all readers understand it alike: it is JSON, and no object in it has a member twice. */
export function isPlain(text: string): boolean {
  const parsed = parseJson(text);
  return parsed.ok && countColons(text) === countMembers(parsed.input);
}

/** Outside of strings: one for each member that was written. */
function countColons(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '"') index = closingQuote(text, index + 1);
    else if (text[index] === ":") count += 1;
  }
  return count;
}

/** With a list of its own in place of recursion: a model may nest as deep as it likes. */
function countMembers(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const members = Object.values(next);
    if (!Array.isArray(next)) count += members.length;
    for (const member of members) open.push(member);
  }
  return count;
}

import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_SHOWN_MESSAGE_BYTES } from "../../protocol/requests/limits.ts";
import { omitContent } from "../../protocol/messages/omitted.ts";

/** Approximate characters of a number, a punctuation mark or another value that is no text. */
const CHARACTERS_OF_A_VALUE = 8;

/** A message in memory as answers show it: without its content when it is too large for one. */
export function shownMessage(message: Msg): Msg {
  const characters = charactersOf(message);
  return characters > MAX_SHOWN_MESSAGE_BYTES ? omitContent(message, characters) : message;
}

/** Approximate UTF-16 units of the value's JSON, counted without building it. */
export function charactersOf(value: unknown): number {
  let characters = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    characters += CHARACTERS_OF_A_VALUE;
    if (typeof next === "string") characters += next.length;
    else if (Array.isArray(next)) open.push(...next);
    else if (typeof next === "object" && next !== null) {
      for (const [name, member] of Object.entries(next)) {
        characters += name.length;
        open.push(member);
      }
    }
  }
  return characters;
}

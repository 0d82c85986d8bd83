// The members of a JSON object by their text alone: which of them is too deep or too large is told, and the others
// are kept, without parsing what nobody may parse.
import { closingQuote } from "./json-shape.ts";

/**
 * The texts of the outermost object's values by name, of a name that is there twice the last, as `JSON.parse` has it.
 * Null when `text` is no object, or has more members than `maxMembers`. Linear, and checks no more than it needs: a
 * value may turn out to be no JSON.
 */
export function readMembers(text: string, maxMembers: number): ReadonlyMap<string, string> | null {
  const members = new Map<string, string>();
  let index = skipSpace(text, 0);
  if (text[index] !== "{") return null;
  for (let count = 0; count < maxMembers; count += 1) {
    index = skipSpace(text, index + 1);
    const nameEnd = text[index] === '"' ? closingQuote(text, index + 1) + 1 : index;
    const name = parseName(text.slice(index, nameEnd));
    index = skipSpace(text, nameEnd);
    if (name === null || text[index] !== ":") return null;
    const end = endOfValue(text, index + 1);
    members.set(name, text.slice(index + 1, end));
    index = end;
    if (text[index] === "}") return skipSpace(text, index + 1) === text.length ? members : null;
    if (text[index] !== ",") return null;
  }
  return null;
}

/** The index of the comma or bracket that ends the value which begins at `start`, or the text's end. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = closingQuote(text, index + 1);
    else if (character === "{" || character === "[") depth += 1;
    else if (depth === 0 && (character === "," || character === "}")) return index;
    else if (character === "}" || character === "]") depth -= 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let index = start;
  while (" \t\r\n".includes(text[index] ?? "x")) index += 1;
  return index;
}

function parseName(text: string): string | null {
  try {
    const name: unknown = JSON.parse(text);
    return typeof name === "string" ? name : null;
  } catch {
    return null;
  }
}

// Splits a JSON object into the texts of its members without parsing them, so that members that are too deep or too
// large can be reported and the others kept.
import { closingQuote } from "./json-shape.ts";

/**
 * The texts of the top-level object's values by name; of duplicate names the last, as in `JSON.parse`. Null when `text`
 * is no object or has more members than `maxMembers`. Linear; does not validate, so a value may turn out to be invalid
 * JSON.
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

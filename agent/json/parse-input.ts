// Parses the text that a model wrote as a call's input, with repair of broken JSON. The cost of a repair is bounded,
// since an end user can make a model write anything.
import { jsonrepair } from "jsonrepair";

import { MAX_INPUT_DEPTH } from "../../protocol/limits/requests.ts";
import {
  MAX_CALL_INPUT_CHARACTERS,
  MAX_REPAIRED_CHARACTERS,
} from "../../protocol/limits/validation.ts";
import { closeJson } from "./close-json.ts";

type ParsedInput =
  | { readonly ok: true; readonly input: unknown }
  /** The rest of a sentence that begins with the input's name. */
  | { readonly ok: false; readonly problem: string };

/**
 * An empty text is `{}`, as models write it for calls without arguments. Broken JSON is repaired: models are cut off at
 * their token limit.
 * @param calls Calls of the turn. The more there are, the shorter a text has to be for a full repair, so that the time
 *   for all is bounded.
 */
export function parseInput(text: string, calls = 1): ParsedInput {
  if (text.length > MAX_CALL_INPUT_CHARACTERS) {
    return { ok: false, problem: `has more than ${MAX_CALL_INPUT_CHARACTERS} characters` };
  }
  if (text.trim() === "") return { ok: true, input: {} };
  const parsed = parseJson(text);
  if (parsed.ok) return parsed;
  // A repair takes time quadratic in the length.
  const maxRepaired = Math.floor(MAX_REPAIRED_CHARACTERS / Math.sqrt(calls));
  if (text.length <= maxRepaired) return repair(text);
  const closed = closeJson(text);
  const whole = closed === null ? parsed : parseJson(closed);
  if (whole.ok) return whole;
  const problem = `is not JSON, and with more than ${maxRepaired} characters too long to be repaired`;
  return { ok: false, problem };
}

/** Parses without repair, for JSON that a person or a program wrote. */
export function parseJson(text: string): ParsedInput {
  try {
    return { ok: true, input: JSON.parse(text) };
  } catch {
    return { ok: false, problem: "is not JSON" };
  }
}

function repair(text: string): ParsedInput {
  try {
    return { ok: true, input: JSON.parse(jsonrepair(text)) };
  } catch {
    return { ok: false, problem: "is not JSON" };
  }
}

export function isTooDeep(value: unknown, depth = 1): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > MAX_INPUT_DEPTH) return true;
  return Object.values(value).some((member) => isTooDeep(member, depth + 1));
}

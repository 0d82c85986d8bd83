// The text that a model wrote as a call's input, as the value that it most likely meant. What the repair may cost is
// bounded: an end user can make a model write anything.
import { jsonrepair } from "jsonrepair";

import { MAX_INPUT_DEPTH } from "../../protocol/limits/requests.ts";
import {
  MAX_CALL_INPUT_CHARACTERS,
  MAX_REPAIRED_CHARACTERS,
} from "../../protocol/limits/validation.ts";
import { closeJson } from "./close-json.ts";

type ParsedInput =
  | { readonly ok: true; readonly input: unknown }
  /** What is wrong, as a sentence goes on after the input's name. */
  | { readonly ok: false; readonly problem: string };

/**
 * Models leave the input of a call without arguments empty, and cut JSON off at their token limit.
 * @param calls Of one turn: each is repaired where it is shorter, so that all together take no longer than one.
 */
export function parseInput(text: string, calls = 1): ParsedInput {
  if (text.length > MAX_CALL_INPUT_CHARACTERS) {
    return { ok: false, problem: `has more than ${MAX_CALL_INPUT_CHARACTERS} characters` };
  }
  if (text.trim() === "") return { ok: true, input: {} };
  const parsed = parseJson(text);
  if (parsed.ok) return parsed;
  // A repair takes the square of the length.
  const maxRepaired = Math.floor(MAX_REPAIRED_CHARACTERS / Math.sqrt(calls));
  if (text.length <= maxRepaired) return repair(text);
  const closed = closeJson(text);
  const whole = closed === null ? parsed : parseJson(closed);
  if (whole.ok) return whole;
  const problem = `is not JSON, and with more than ${maxRepaired} characters too long to be repaired`;
  return { ok: false, problem };
}

/** As it stands: what a person or a program writes is not guessed at. */
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

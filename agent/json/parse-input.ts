// Parses the text that a model wrote as a call's input. What is clear is read, whatever its form. What is not clear, or
// was cut off, is told to the model: no value is completed or made up, and nothing unread becomes an empty input.
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { MAX_CALL_INPUT_CHARACTERS } from "../../protocol/schemas/limits.ts";
import { parseExact } from "../exact-number.ts";
import { readLenient, type LenientProblem } from "./lenient-json.ts";

export type ParsedInput =
  | { readonly ok: true; readonly input: unknown }
  | {
      readonly ok: false;
      /** The rest of a sentence that begins with the input's name. */
      readonly problem: string;
      /** The text ends before its object is closed. */
      readonly isCutOff: boolean;
    };

/** Levels at which an object may stand in a text of JSON that stands in a text of JSON. */
const MAX_ENCODINGS = 3;

const PROBLEMS: Readonly<Record<LenientProblem, string>> = {
  no_json: "is not JSON",
  cut_off: "is cut off: it ends before its object is closed",
  several: "is not one JSON object, but several",
  too_deep: `has more than ${MAX_INPUT_DEPTH} levels`,
  backslashes: "is not JSON: each backslash in a text has to be written twice",
};

/**
 * The object that a text says. An empty text and `null` are `{}`, as models write them for calls without arguments. An
 * object is read inside a code fence and inside a text of JSON too, and with the syntax of other languages. Numbers
 * keep their digits, see `parseExact`.
 */
export function parseInput(text: string): ParsedInput {
  if (text.length > MAX_CALL_INPUT_CHARACTERS) {
    return refuse(`has more than ${MAX_CALL_INPUT_CHARACTERS} characters`);
  }
  return parseEncoded(text, MAX_ENCODINGS);
}

function parseEncoded(text: string, encodings: number): ParsedInput {
  if (text.trim() === "") return { ok: true, input: {} };
  const parsed = parseClear(text);
  if (!parsed.ok) return parsed;
  const { input } = parsed;
  if (input === null) return { ok: true, input: {} };
  if (typeof input === "string" && encodings > 1) {
    const inner = parseEncoded(input, encodings - 1);
    // Words are a text, and no object with an error in it.
    return inner.ok || /^\s*[{["`]/.test(input)
      ? inner
      : refuse("is a text, and has to be an object");
  }
  if (typeof input !== "object") return refuse(`is a ${wordFor(input)}, and has to be an object`);
  return Array.isArray(input) ? refuse("is a list, and has to be an object") : parsed;
}

/** Parses JSON alone, for what a person or a program wrote. The value may be of any type. */
export function parseJson(text: string): ParsedInput {
  try {
    return { ok: true, input: parseExact(text) };
  } catch {
    return refuse(PROBLEMS.no_json);
  }
}

function parseClear(text: string): ParsedInput {
  const strict = parseJson(text);
  if (strict.ok) return strict;
  const lenient = readLenient(text);
  if (lenient.ok) return parseJson(lenient.text);
  return { ok: false, problem: PROBLEMS[lenient.problem], isCutOff: lenient.problem === "cut_off" };
}

function wordFor(input: unknown): string {
  return typeof input === "string" ? "text" : typeof input === "boolean" ? "truth value" : "number";
}

function refuse(problem: string): ParsedInput {
  return { ok: false, problem, isCutOff: false };
}

export function isTooDeep(value: unknown, depth = 1): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > MAX_INPUT_DEPTH) return true;
  return Object.values(value).some((member) => isTooDeep(member, depth + 1));
}

// Parses an answer of which a part is better than nothing, such as a summary, with repair of broken JSON. No input of a
// call is read so: a repair completes what was cut off. The cost of a repair is bounded, since an end user can make a
// model write anything.
import { jsonrepair } from "jsonrepair";

import {
  MAX_CALL_INPUT_CHARACTERS,
  MAX_REPAIRED_CHARACTERS,
} from "../../protocol/schemas/limits.ts";
import { closeJson } from "./close-json.ts";
import { parseJson, type ParsedInput } from "./parse-input.ts";

/**
 * The value of an answer; an empty text is `{}`. JSON that was cut off is closed after its last complete value.
 * @param answers How many are read at once: the more, the shorter one has to be for a full repair.
 */
export function parseRepaired(text: string, answers = 1): ParsedInput {
  if (text.length > MAX_CALL_INPUT_CHARACTERS) {
    return refuse(`has more than ${MAX_CALL_INPUT_CHARACTERS} characters`);
  }
  if (text.trim() === "") return { ok: true, input: {} };
  const parsed = parseJson(text);
  if (parsed.ok) return parsed;
  // A repair takes time quadratic in the length.
  const maxRepaired = Math.floor(MAX_REPAIRED_CHARACTERS / Math.sqrt(answers));
  if (text.length <= maxRepaired) return repair(text);
  const closed = closeJson(text);
  const whole = closed === null ? parsed : parseJson(closed);
  if (whole.ok) return whole;
  return refuse(
    `is not JSON, and with more than ${maxRepaired} characters too long to be repaired`,
  );
}

function repair(text: string): ParsedInput {
  try {
    return parseJson(jsonrepair(text));
  } catch {
    return refuse("is not JSON");
  }
}

function refuse(problem: string): ParsedInput {
  return { ok: false, problem, isCutOff: false };
}

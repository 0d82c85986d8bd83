// Answers of a record to the calls of a replay: results and decisions, found by tool and input.
import { parseInput, isTooDeep } from "../json/parse-input.ts";
import { canonicalJson } from "../json-schema/canonical-json.ts";
import { StepBudget } from "../step-budget.ts";
import type { RecordedAnswer, RecordedCall } from "./recorded-calls.ts";

interface Entry {
  readonly call: RecordedCall;
  isUsed: boolean;
}

/** A call of the record that stands for one of the replay. */
export interface Found {
  readonly call: RecordedCall;
  /** The recorded call was used before: the record has no other one. */
  readonly isRepeated: boolean;
}

interface Asked {
  /** The recorded reply that is run again. */
  readonly reply_id: string;
  readonly name: string;
  /** Parsed JSON. */
  readonly input: unknown;
}

export class Recording {
  readonly #results = new Map<string, Entry[]>();
  readonly #questions = new Map<string, Entry[]>();

  /** @param calls Of all recorded replies that are run again, in order. */
  constructor(calls: readonly RecordedCall[]) {
    for (const call of calls) {
      const { name, input, run_input, answer, has_run } = call;
      if (has_run) add(this.#results, callKey(name, readText(run_input)), call);
      if (answer) add(this.#questions, callKey(name, readText(input)), call);
    }
  }

  /** The recorded result of a call of this tool with this input; null when there is none. */
  takeResult(asked: Asked): Found | null {
    return take(this.#results, asked);
  }

  /** A person's answer to such a call; null when none asked, or none was answered. */
  takeAnswer(asked: Asked): (RecordedAnswer & Pick<Found, "isRepeated">) | null {
    const found = take(this.#questions, asked);
    return found?.call.answer ? { ...found.call.answer, isRepeated: found.isRepeated } : null;
  }
}

/**
 * The same for calls of one tool whose inputs are equal as JSON; null for an input that is no JSON, or too deep to be
 * accepted.
 */
export function callKey(name: string, input: { readonly value: unknown } | null): string | null {
  if (!input || isTooDeep(input.value)) return null;
  return `${name}\n${canonicalJson(input.value, new StepBudget(Infinity))}`;
}

/** The value of an input's text; null when it is no JSON. */
export function readText(text: string): { readonly value: unknown } | null {
  const parsed = parseInput(text);
  return parsed.ok ? { value: parsed.input } : null;
}

function add(entries: Map<string, Entry[]>, key: string | null, call: RecordedCall): void {
  if (key === null) return;
  const entry = { call, isUsed: false };
  const known = entries.get(key);
  if (known) known.push(entry);
  else entries.set(key, [entry]);
}

/** The first unused one of the same reply, then of all; when all are used, the last one again. */
function take(all: ReadonlyMap<string, Entry[]>, { reply_id, name, input }: Asked): Found | null {
  const entries = all.get(callKey(name, { value: input }) ?? "") ?? [];
  const fresh =
    entries.find(({ call, isUsed }) => !isUsed && call.reply_id === reply_id) ??
    entries.find(({ isUsed }) => !isUsed);
  if (fresh) fresh.isUsed = true;
  const found = fresh ?? entries.at(-1);
  return found ? { call: found.call, isRepeated: !fresh } : null;
}

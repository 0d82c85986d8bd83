// Reads the changes that a model proposes. An answer of another form is none: half of a change could lose a memory.
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { isTooDeep } from "../json/parse-input.ts";
import { parseRepaired } from "../json/parse-repaired.ts";
import type { ProposedChange } from "./check-changes.ts";
import { jsonWithin, memberOf } from "./read-memories.ts";

export type ReadChanges =
  | { readonly ok: true; readonly changes: readonly ProposedChange[] }
  /** The rest of a sentence that begins with the answer. */
  | { readonly ok: false; readonly problem: string };

export function readChanges(text: string): ReadChanges {
  const parsed = parseRepaired(jsonWithin(text));
  if (!parsed.ok) return { ok: false, problem: parsed.problem };
  if (isTooDeep(parsed.input)) {
    return { ok: false, problem: `has more than ${MAX_INPUT_DEPTH} levels` };
  }
  const changes = memberOf(parsed.input, "changes");
  if (!Array.isArray(changes)) return { ok: false, problem: "has no list of changes" };
  const read = changes.map(changeOf);
  const whole = read.filter((change) => change !== null);
  if (whole.length === read.length) return { ok: true, changes: whole };
  return {
    ok: false,
    problem: "has a change without `keep`, `replaces` or with another `content`",
  };
}

function changeOf(value: unknown): ProposedChange | null {
  const [keep, replaces, content = null] = ["keep", "replaces", "content"].map((name) =>
    memberOf(value, name),
  );
  if (typeof keep !== "string" || (content !== null && typeof content !== "string")) return null;
  if (!Array.isArray(replaces)) return null;
  const ids = replaces.filter((id): id is string => typeof id === "string");
  return ids.length === replaces.length ? { keep, replaces: ids, content } : null;
}

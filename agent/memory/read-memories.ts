// Reads the memories that a model proposes, of whatever it has written.
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { isTooDeep } from "../json/parse-input.ts";
import { parseRepaired } from "../json/parse-repaired.ts";
import type { ProposedMemory } from "./choose-memories.ts";

export type ReadMemories =
  | { readonly ok: true; readonly memories: readonly ProposedMemory[] }
  /** The rest of a sentence that begins with the answer. */
  | { readonly ok: false; readonly problem: string };

/** A member of another form is passed over: the others are worth having. */
export function readMemories(text: string): ReadMemories {
  const parsed = parseRepaired(jsonWithin(text));
  if (!parsed.ok) return { ok: false, problem: parsed.problem };
  if (isTooDeep(parsed.input)) {
    return { ok: false, problem: `has more than ${MAX_INPUT_DEPTH} levels` };
  }
  const memories = memberOf(parsed.input, "memories");
  if (!Array.isArray(memories)) return { ok: false, problem: "has no list of memories" };
  return { ok: true, memories: memories.flatMap(proposed) };
}

function proposed(value: unknown): readonly ProposedMemory[] {
  if (typeof value === "string") return [{ content: value, supersedes: null }];
  const content = memberOf(value, "content");
  if (typeof content !== "string") return [];
  const given = memberOf(value, "supersedes");
  // Some models give a list where one is asked for.
  const id: unknown = Array.isArray(given) ? given[0] : given;
  return [{ content, supersedes: typeof id === "string" ? id : null }];
}

export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** Models put JSON into a fence, or a sentence before it. */
export function jsonWithin(text: string): string {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  return start === -1 ? text : text.slice(start, end > start ? end + 1 : undefined);
}

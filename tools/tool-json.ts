// Parses JSON from a tool within bounds: parsing and checking unbounded JSON could exhaust memory, and nesting that
// cannot be serialised again would break the log.
import { readMembers } from "../protocol/read-members.ts";
import { findShapeViolation } from "../protocol/json-shape.ts";
import { MAX_INPUT_DEPTH, MAX_INPUT_VALUES } from "../protocol/requests/limits.ts";
import { MAX_TOOL_METADATA_BYTES } from "../protocol/tools/limits.ts";

export type ToolJson =
  | { readonly kind: "value"; readonly value: unknown }
  /** Not parsed: it may not be JSON. */
  | { readonly kind: "unread" }
  /** A response of the platform's shape that is not accepted. The reason is for the model. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "no_json" };

/** The members of a response, as a whole or as the end of a stream. */
const MEMBERS: ReadonlySet<string> = new Set(["output", "state", "metadata", "events"]);
const WHOLE = { depth: MAX_INPUT_DEPTH, values: MAX_INPUT_VALUES };
/** The response itself is one level. */
const MEMBER = { ...WHOLE, depth: MAX_INPUT_DEPTH - 1 };

/** The replacement for metadata that is left out. */
export const METADATA_TOO_LARGE = {
  metadata_omitted: `larger than ${MAX_TOOL_METADATA_BYTES} bytes`,
};
const METADATA_TOO_DEEP = { metadata_omitted: `nested deeper than ${MAX_INPUT_DEPTH} levels` };

/**
 * The tool has done its work, so metadata that is too large is replaced by a note. An output that is too large is
 * refused.
 */
export function readToolJson(text: string): ToolJson {
  if (findShapeViolation(text, WHOLE) === null) return parse(text);
  const members = readMembers(text, MEMBERS.size);
  if (!members || ![...members.keys()].every((name) => MEMBERS.has(name)))
    return { kind: "unread" };
  const kept = new Map(members);
  for (const [name, member] of members) {
    const violation = findShapeViolation(member, MEMBER);
    if (violation === null) continue;
    if (name === "events") {
      // No list: it is left out with a note.
      kept.set(name, "null");
      continue;
    }
    if (name !== "metadata") return { kind: "refused", reason: refusal(name, violation) };
    const isLarge = violation === "too_many_values" || member.length > MAX_TOOL_METADATA_BYTES;
    kept.set(name, JSON.stringify(isLarge ? METADATA_TOO_LARGE : METADATA_TOO_DEEP));
  }
  return parse(`{${[...kept].map(([name, member]) => `"${name}":${member}`).join(",")}}`);
}

function refusal(member: string, violation: "too_deep" | "too_many_values"): string {
  const found =
    violation === "too_deep"
      ? `is nested deeper than ${MAX_INPUT_DEPTH} levels`
      : `holds more than ${MAX_INPUT_VALUES} values`;
  return `The tool's answer was not read: its ${member} ${found}.`;
}

function parse(text: string): ToolJson {
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return { kind: "no_json" };
  }
}

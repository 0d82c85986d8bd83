// The places of a trigger that a webhook's payload fills in: its input, by the template that questions to people have, and the
// pointers that say whose the run is, and which session goes on.
import { utf8Bytes } from "../utf8-bytes.ts";
import { readTemplate, type TemplatePart } from "../words/read-template.ts";
import type { TriggerDefinition } from "./contract.ts";
import { MAX_INPUT_PLACEHOLDERS, MAX_RUN_INPUT_BYTES } from "./limits.ts";
import type { TriggeredInput } from "./run-input.ts";

/** The members that a payload fills in. */
export type PayloadPlaces = Pick<TriggerDefinition, "input" | "session" | "end_user_id">;

export interface PayloadProblem {
  /** The member of the definition. */
  readonly pointer: `#/${string}`;
  readonly detail: string;
}

/** The first problem of these places; null when there is none. */
export function findPayloadProblem(
  { input, session, end_user_id }: PayloadPlaces,
  hasWebhook: boolean,
): PayloadProblem | null {
  if (!hasWebhook) {
    const detail = "points into the payload of a webhook, and the trigger has none";
    if (session?.mode === "keyed" && "pointer" in session.key) {
      return { pointer: "#/session/key/pointer", detail };
    }
    const isFixed = end_user_id === null || typeof end_user_id === "string";
    return isFixed ? null : { pointer: "#/end_user_id/pointer", detail };
  }
  let [placeholders, bytes] = [0, 0];
  for (const [index, text] of textsOf(input).entries()) {
    const pointer = typeof input === "string" ? "#/input" : (`#/input/${index}/text` as const);
    const template = readTemplate(text);
    if (!template.ok) return { pointer, detail: template.problem };
    placeholders += template.parts.filter((part) => typeof part !== "string").length;
    bytes += utf8Bytes(fixedText(template.parts));
  }
  if (placeholders > MAX_INPUT_PLACEHOLDERS) {
    const detail = `may have at most ${MAX_INPUT_PLACEHOLDERS} placeholders, has ${placeholders}`;
    return { pointer: "#/input", detail };
  }
  if (bytes <= MAX_RUN_INPUT_BYTES) return null;
  return { pointer: "#/input", detail: `has ${bytes} bytes, of ${MAX_RUN_INPUT_BYTES} at most` };
}

export function textsOf(input: TriggeredInput): readonly string[] {
  return typeof input === "string" ? [input] : input.map(({ text }) => text);
}

/** The part of a template that is there without a payload. */
export function fixedText(parts: readonly TemplatePart[]): string {
  return parts.map((part) => (typeof part === "string" ? part : "")).join("");
}

// A thinking block's `signature` as it is stored: one opaque string with the proof's author and the members in which
// the endpoint wants it back. Clients and the log pass it through.
import { MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/models/limits.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

/** Undefined when it is longer than the log stores. */
export function sealProof(by: string, proof: object): string | undefined {
  const text = JSON.stringify({ by, ...proof });
  return text.length <= MAX_THINKING_SIGNATURE_CHARACTERS ? text : undefined;
}

/** The members of a proof; null for another author's and for invalid ones: messages can be imported. */
export function openProof(signature: unknown, by: string): JsonFields | null {
  if (typeof signature !== "string") return null;
  const value = parseFields(signature);
  return value?.["by"] === by ? value : null;
}

function parseFields(text: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

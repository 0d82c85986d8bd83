// What an endpoint gives as proof of its model's thoughts, in the endpoint's own words but without the thought itself,
// as one string. Nobody but this adapter reads it: clients and the log carry it as it is.
import { MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/limits/models.ts";
import { fieldsIn, isFields, type JsonFields } from "./json-fields.ts";

/** The forms that endpoints use, by the name of the member that they are sent back in. */
export interface ThoughtProof {
  /** OpenRouter's: one for each part of a thought. */
  readonly reasoning_details?: readonly JsonFields[];
  /** LiteLLM's, after Anthropic's blocks. */
  readonly thinking_blocks?: readonly JsonFields[];
  /** Google's, which belongs to the first call of a turn. */
  readonly thought_signature?: string;
}

/** All that is taken of a detail or a block beside its text. */
const PROOF_MEMBERS = ["type", "id", "format", "index", "signature", "data"];

/** The members of a detail or a block that are no text; null ones are left out, and what is too long to keep. */
export function withoutText(value: JsonFields): JsonFields {
  return Object.fromEntries(
    PROOF_MEMBERS.flatMap((name) => {
      const member = value[name];
      return typeof member === "number" || isKept(member) ? [[name, member]] : [];
    }),
  );
}

function isKept(member: unknown): boolean {
  return typeof member === "string" && member.length <= MAX_THINKING_SIGNATURE_CHARACTERS;
}

/**
 * A short name for the model at its endpoint with its credential: a proof is good there alone. Only tells models
 * apart, so thirty-two bits do.
 */
export function proofAuthor(parts: readonly (string | undefined)[]): string {
  let hash = 0x811c9dc5;
  for (const character of JSON.stringify(parts)) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Undefined when it is longer than the log keeps. */
export function writeProof(by: string, proof: ThoughtProof): string | undefined {
  const text = JSON.stringify({ by, ...proof });
  return text.length <= MAX_THINKING_SIGNATURE_CHARACTERS ? text : undefined;
}

/** Null for what another model gave, and for what is no proof: messages can be brought in from outside. */
export function readProof(signature: unknown, by: string): ThoughtProof | null {
  if (typeof signature !== "string") return null;
  const value = parseFields(signature);
  if (value?.["by"] !== by) return null;
  const { thought_signature } = value;
  const reasoning_details = fieldsIn(value["reasoning_details"]).map(withoutText);
  const thinking_blocks = fieldsIn(value["thinking_blocks"]).map(withoutText);
  return {
    ...(reasoning_details.length > 0 && { reasoning_details }),
    ...(thinking_blocks.length > 0 && { thinking_blocks }),
    ...(typeof thought_signature === "string" && { thought_signature }),
  };
}

function parseFields(text: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

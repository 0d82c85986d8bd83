// Thinking signatures ("proofs") in the endpoint's own form without the text.
import { MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/models/limits.ts";
import { openProof } from "../conversation/sealed-proof.ts";
import { fieldsIn, type JsonFields } from "../stream/json-fields.ts";

/** The forms of proofs, by the member in which endpoints want them back. */
export interface ThoughtProof {
  /** OpenRouter: one for each part of a thought. */
  readonly reasoning_details?: readonly JsonFields[];
  /** LiteLLM, modelled on Anthropic's blocks. */
  readonly thinking_blocks?: readonly JsonFields[];
  /** Google's, in logs of before calls kept their own: it belongs to the first call of a turn. */
  readonly thought_signature?: string;
}

/** The members of a detail or block that are kept besides its text. */
const PROOF_MEMBERS = ["type", "id", "format", "index", "signature", "data"];

/** The members of a detail or block without its text, without nulls and without members that are too long to store. */
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

/** Null for another model's proof and for invalid ones: messages can be imported. */
export function readProof(signature: unknown, by: string): ThoughtProof | null {
  const value = openProof(signature, by);
  if (!value) return null;
  const { thought_signature } = value;
  const reasoning_details = fieldsIn(value["reasoning_details"]).map(withoutText);
  const thinking_blocks = fieldsIn(value["thinking_blocks"]).map(withoutText);
  return {
    ...(reasoning_details.length > 0 && { reasoning_details }),
    ...(thinking_blocks.length > 0 && { thinking_blocks }),
    ...(typeof thought_signature === "string" && { thought_signature }),
  };
}

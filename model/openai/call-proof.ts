// Proofs of thinking that stand at a call: a model that signs its calls refuses a request in which one comes back
// without it.
import { MAX_THINKING_SIGNATURE_CHARACTERS } from "../../protocol/models/limits.ts";
import { openProof, sealProof } from "../conversation/sealed-proof.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

/** The members of a call that have a proof, each in its endpoint's form: Google's own, and LiteLLM's. */
const CALL_PROOFS: Readonly<Record<string, CallProofForm>> = {
  extra_content: {
    read: (member) =>
      isJsonObject(member["google"]) ? member["google"]["thought_signature"] : null,
    write: (thought_signature) => ({ google: { thought_signature } }),
  },
  provider_specific_fields: {
    read: (member) => member["thought_signature"],
    write: (thought_signature) => ({ thought_signature }),
  },
};

interface CallProofForm {
  readonly read: (member: JsonFields) => unknown;
  readonly write: (signature: string) => JsonFields;
}

/** The sealed proof of a call, of one piece of a stream; undefined without one, and for one that is too long. */
export function sealCallProof(by: string, call: JsonFields): string | undefined {
  const proof = proofMembers(call);
  return proof && sealProof(by, proof);
}

/** The members that send a call's proof back; undefined for another author's and for invalid ones. */
export function openCallProof(signature: unknown, by: string | undefined): JsonFields | undefined {
  const sealed = by === undefined ? null : openProof(signature, by);
  return sealed ? proofMembers(sealed) : undefined;
}

/** The first form alone: a gateway that repeats the same proof in two wants one back. */
function proofMembers(value: JsonFields): JsonFields | undefined {
  for (const [name, { read, write }] of Object.entries(CALL_PROOFS)) {
    const member = value[name];
    const signature = isJsonObject(member) ? read(member) : null;
    const isKept = typeof signature === "string" && signature !== "";
    if (isKept && signature.length <= MAX_THINKING_SIGNATURE_CHARACTERS) {
      return { [name]: write(signature) };
    }
  }
  return undefined;
}

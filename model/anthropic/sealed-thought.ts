// The thoughts of the Messages API and their proofs: a signature, or the encrypted thought itself (`redacted_thinking`).
import type {
  RedactedThinkingBlockParam,
  ThinkingBlockParam,
} from "@anthropic-ai/sdk/resources/messages";

import type { ThinkingBlock } from "../../protocol/messages/blocks.ts";
import { openProof, sealProof } from "../conversation/sealed-proof.ts";

/** Undefined when it is longer than the log stores. */
export function sealSignature(by: string, signature: string): string | undefined {
  return signature === "" ? undefined : sealProof(by, { signature });
}

/** As {@link sealSignature}, for an encrypted thought. */
export function sealRedacted(by: string, data: string): string | undefined {
  return data === "" ? undefined : sealProof(by, { data });
}

/**
 * A thought as its author wants it back, unchanged; null for one of another model.
 * @param words The thinking since the last proof: a signature signs all of it.
 */
export function openThought(
  { signature: sealed }: ThinkingBlock & { readonly signature?: unknown },
  words: string,
  by: string,
): ThinkingBlockParam | RedactedThinkingBlockParam | null {
  const proof = openProof(sealed, by);
  const { signature, data } = proof ?? {};
  if (typeof data === "string") return { type: "redacted_thinking", data };
  if (typeof signature !== "string") return null;
  return { type: "thinking", thinking: words, signature };
}

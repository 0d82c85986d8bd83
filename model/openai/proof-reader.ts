// The proofs of thoughts in a chat completions stream. They come in pieces, after the words that they prove and
// sometimes after the answer has begun.
import { fieldsIn, isFields, type JsonFields } from "./json-fields.ts";
import { withoutText, writeProof, type ThoughtProof } from "./thought-proof.ts";

/** Parts of one proof; no model thinks in so many between two words. */
const MAX_PARTS = 64;

/** Holds what has come until the thought is over. Lives as long as the stream. */
export class ProofReader {
  readonly #by: string;
  readonly #details = new Map<string, JsonFields>();
  #blocks: JsonFields[] = [];
  #callSignature: string | null = null;
  #isProven = false;

  /** @param by Whose proofs these are; they are given back to nobody else. */
  constructor(by: string) {
    this.#by = by;
  }

  /** Whether there is something to release. */
  get hasProof(): boolean {
    return this.#isProven;
  }

  /** The whole proof of what was thought before, once there is one; it is given once. */
  release(): string | undefined {
    if (!this.#isProven) return undefined;
    const details = [...this.#details.values()];
    const proof: ThoughtProof = {
      ...(details.length > 0 && { reasoning_details: details }),
      ...(this.#blocks.length > 0 && { thinking_blocks: this.#blocks }),
      ...(this.#callSignature && { thought_signature: this.#callSignature }),
    };
    this.#details.clear();
    this.#blocks = [];
    this.#callSignature = null;
    this.#isProven = false;
    return writeProof(this.#by, proof);
  }

  /** Runs for every token, so it looks at what is there alone. */
  take(delta: JsonFields): void {
    if (delta["reasoning_details"]) this.#takeDetails(delta["reasoning_details"]);
    if (delta["thinking_blocks"]) this.#takeBlocks(delta["thinking_blocks"]);
    if (delta["tool_calls"]) this.#takeCallSignature(delta["tool_calls"]);
  }

  /** The pieces of a detail have its type and index in common; what is encrypted is told apart by its id. */
  #takeDetails(details: unknown): void {
    for (const detail of fieldsIn(details)) {
      const { type, index, id } = detail;
      const isEncrypted = type === "reasoning.encrypted";
      const key = JSON.stringify([type, index ?? null, isEncrypted ? id : null]);
      const before = this.#details.get(key);
      if (typeof type !== "string" || (!before && this.#details.size >= MAX_PARTS)) continue;
      const piece = withoutText(detail);
      this.#details.set(key, { ...before, ...piece });
      if (piece["signature"] || (isEncrypted && piece["data"])) this.#isProven = true;
    }
  }

  /** The words of a block came as `reasoning_content`; a block without a signature is a piece of those. */
  #takeBlocks(blocks: unknown): void {
    for (const block of fieldsIn(blocks).map(withoutText)) {
      const isProof = Boolean(block["signature"] || block["data"]);
      if (!isProof || this.#blocks.length >= MAX_PARTS) continue;
      this.#blocks.push(block);
      this.#isProven = true;
    }
  }

  #takeCallSignature(calls: unknown): void {
    for (const { extra_content } of fieldsIn(calls)) {
      const google = isFields(extra_content) ? extra_content["google"] : undefined;
      const signature = isFields(google) ? google["thought_signature"] : undefined;
      if (typeof signature !== "string" || signature === "" || this.#callSignature) continue;
      this.#callSignature = signature;
      this.#isProven = true;
    }
  }
}

// Collects thinking signatures ("proofs") from a chat completions stream. They arrive in pieces, after the thinking
// that they sign and sometimes after the answer has begun.
import { fieldsIn, type JsonFields } from "../stream/json-fields.ts";
import { sealUnsigned, type ReasoningMember } from "../conversation/unsigned-reasoning.ts";
import { sealProof } from "../conversation/sealed-proof.ts";
import { withoutText, type ThoughtProof } from "./thought-proof.ts";

/** Parts of one proof; real ones have far fewer. */
const MAX_PARTS = 64;

/** Holds the pieces until the thought is complete. One per stream. */
export class ProofReader {
  readonly #by: string;
  readonly #details = new Map<string, JsonFields>();
  #blocks: JsonFields[] = [];
  #isProven = false;
  /** Of the thought that has no proof so far. */
  #unsigned: ReasoningMember | null = null;

  /** @param by The author of the proofs: they are only sent back to the same one. */
  constructor(by: string) {
    this.#by = by;
  }

  /** Whether a proof is ready to be released. */
  get hasProof(): boolean {
    return this.#isProven;
  }

  /** Whether a thought has begun that has no proof so far. */
  get hasThought(): boolean {
    return this.#unsigned !== null;
  }

  /** Says that the stream has a thought, in this member. */
  noteThought(member: ReasoningMember): void {
    this.#unsigned = member;
  }

  /** Returns who the thought is of that has just ended, once; undefined for one with a proof. */
  releaseUnsigned(): string | undefined {
    const member = this.#unsigned;
    this.#unsigned = null;
    return member === null ? undefined : sealUnsigned(this.#by, member);
  }

  /** Returns the complete proof of the preceding thought, once. */
  release(): string | undefined {
    if (!this.#isProven) return undefined;
    this.#unsigned = null;
    const details = [...this.#details.values()];
    const proof: ThoughtProof = {
      ...(details.length > 0 && { reasoning_details: details }),
      ...(this.#blocks.length > 0 && { thinking_blocks: this.#blocks }),
    };
    this.#details.clear();
    this.#blocks = [];
    this.#isProven = false;
    return sealProof(this.#by, proof);
  }

  /** Hot path: runs for every token, so it reads only the members that exist. */
  take(delta: JsonFields): void {
    if (delta["reasoning_details"]) this.#takeDetails(delta["reasoning_details"]);
    if (delta["thinking_blocks"]) this.#takeBlocks(delta["thinking_blocks"]);
  }

  /** Pieces of one detail share type and index; encrypted ones are distinguished by id. */
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

  /** The text of a block has arrived as `reasoning_content`; a block without a signature only repeats it. */
  #takeBlocks(blocks: unknown): void {
    for (const block of fieldsIn(blocks).map(withoutText)) {
      const isProof = Boolean(block["signature"] || block["data"]);
      if (!isProof || this.#blocks.length >= MAX_PARTS) continue;
      this.#blocks.push(block);
      this.#isProven = true;
    }
  }
}

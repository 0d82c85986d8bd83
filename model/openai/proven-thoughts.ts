// The thoughts of one model call as its endpoint wants them back: those with a proof, whole, beside the text and the
// calls. Models that prove their thoughts refuse calls, or forget why they made them, when these are missing.
import type { ThinkingBlock } from "../../protocol/messages/blocks.ts";
import type { JsonFields } from "./json-fields.ts";
import { readProof } from "./thought-proof.ts";

export interface ProvenThoughts {
  /** Members of the assistant's message. */
  readonly ofMessage: JsonFields;
  /** Members of its first call. */
  readonly ofFirstCall: JsonFields;
}

export interface ThoughtsContext {
  /** The author of the proofs that may be sent; without one none is. */
  readonly by: string | undefined;
  /** The ids of the round's calls, as they are sent. */
  readonly callIds: readonly string[];
}

/** Where a form of proof has the words. */
const TEXT_MEMBERS: Readonly<Record<string, string>> = {
  "reasoning.text": "text",
  "reasoning.summary": "summary",
  thinking: "thinking",
};
/** Details in this format name a call, by the id that the model gave it. */
const CALL_BOUND_FORMAT = "google-gemini";

const NOTHING: ProvenThoughts = { ofMessage: {}, ofFirstCall: {} };

/** A proof that came after its thought had ended proves all the words since the proof before it. */
export function provenThoughts(
  blocks: readonly ThinkingBlock[],
  { by, callIds }: ThoughtsContext,
): ProvenThoughts {
  if (by === undefined || blocks.length === 0) return NOTHING;
  const reasoning_details: JsonFields[] = [];
  const thinking_blocks: JsonFields[] = [];
  let ofFirstCall: JsonFields = {};
  let words = "";
  for (const block of blocks) {
    words += block.thinking;
    const proof = readProof(block["signature"], by);
    if (!proof) continue;
    const { thought_signature } = proof;
    reasoning_details.push(
      ...withWords(proof.reasoning_details, words).map((detail) => boundToCall(detail, callIds)),
    );
    thinking_blocks.push(...withWords(proof.thinking_blocks, words));
    if (thought_signature) ofFirstCall = { extra_content: { google: { thought_signature } } };
    words = "";
  }
  return {
    ofMessage: {
      ...(reasoning_details.length > 0 && { reasoning_details }),
      ...(thinking_blocks.length > 0 && { thinking_blocks }),
    },
    ofFirstCall,
  };
}

/** The first part that has words gets all of them: readers are shown one text. */
function withWords(parts: readonly JsonFields[] = [], words: string): readonly JsonFields[] {
  let left = words;
  return parts.map((part) => {
    const member = TEXT_MEMBERS[String(part["type"])];
    if (member === undefined) return part;
    const text = left;
    left = "";
    return { ...part, [member]: text };
  });
}

/** The id that the model gave its call may have been replaced; such proofs belong to the first call of a turn. */
function boundToCall(detail: JsonFields, callIds: readonly string[]): JsonFields {
  const { id, format } = detail;
  const [first] = callIds;
  const isBound = typeof format === "string" && format.startsWith(CALL_BOUND_FORMAT);
  if (!isBound || typeof id !== "string" || callIds.includes(id) || first === undefined) {
    return detail;
  }
  return { ...detail, id: first };
}

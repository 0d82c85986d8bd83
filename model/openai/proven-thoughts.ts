// Builds the members that send the thoughts of one model call back to its endpoint: those with a proof (thinking
// signature), complete, beside text and calls; where there is none, those that nobody has signed, if they are wanted. Models that sign their thoughts refuse the request, or lose context,
// when these are missing.
import type { ThinkingBlock } from "../../protocol/messages/blocks.ts";
import type { RequestForm } from "../../protocol/models/events.ts";
import { unsignedMember, type ReasoningMember } from "../conversation/unsigned-reasoning.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { readProof } from "./thought-proof.ts";

export interface ProvenThoughts {
  /** Members of the assistant's message. */
  readonly ofMessage: JsonFields;
  /** Members of its first call, where it has no proof of its own. */
  readonly ofFirstCall: JsonFields;
}

export interface ThoughtsContext {
  /** The author whose proofs are sent; without one none are. */
  readonly by: string | undefined;
  /** The ids of the round's calls, as sent. */
  readonly callIds: readonly string[];
  /** Whether the reasoning of this call is sent, which nobody has signed. */
  readonly sendsUnsigned: boolean;
  readonly form: RequestForm;
}

/** Member that contains the text, by type of detail. */
const TEXT_MEMBERS: Readonly<Record<string, string>> = {
  "reasoning.text": "text",
  "reasoning.summary": "summary",
  thinking: "thinking",
};
/** Details of this format name a call by the model's id. */
const CALL_BOUND_FORMAT = "google-gemini";

const NOTHING: ProvenThoughts = { ofMessage: {}, ofFirstCall: {} };

/** A proof covers all thinking text since the previous proof. */
export function provenThoughts(
  blocks: readonly ThinkingBlock[],
  { by, callIds, sendsUnsigned, form }: ThoughtsContext,
): ProvenThoughts {
  if (by === undefined) return NOTHING;
  if (blocks.length === 0) {
    return sendsUnsigned ? { ...NOTHING, ofMessage: missingReasoning(form) } : NOTHING;
  }
  const reasoning_details: JsonFields[] = [];
  const thinking_blocks: JsonFields[] = [];
  let ofFirstCall: JsonFields = {};
  const unsigned: Partial<Record<ReasoningMember, string>> = {};
  let words = "";
  for (const block of blocks) {
    words += block.thinking;
    const member = unsignedMember(block, by);
    if (member) unsigned[member] = (unsigned[member] ?? "") + block.thinking;
    // The proof of a thought may come behind its end, when the answer has begun.
    const proof = member ? null : readProof(block["signature"], by);
    if (!proof) continue;
    const { thought_signature } = proof;
    reasoning_details.push(
      ...withWords(proof.reasoning_details, words).map((detail) => boundToCall(detail, callIds)),
    );
    thinking_blocks.push(...withWords(proof.thinking_blocks, words));
    if (thought_signature) ofFirstCall = { extra_content: { google: { thought_signature } } };
    words = "";
  }
  const isProven =
    reasoning_details.length + thinking_blocks.length > 0 || "extra_content" in ofFirstCall;
  if (!isProven && sendsUnsigned) {
    const hasWords = Object.keys(unsigned).length > 0;
    return { ...NOTHING, ofMessage: hasWords ? unsigned : missingReasoning(form) };
  }
  return {
    ofMessage: {
      ...(reasoning_details.length > 0 && { reasoning_details }),
      ...(thinking_blocks.length > 0 && { thinking_blocks }),
    },
    ofFirstCall,
  };
}

/** The reasoning of a message without any, where each message has to have some; an empty text counts as none. */
function missingReasoning({ missing_reasoning }: RequestForm): JsonFields {
  return missing_reasoning === "space" ? { reasoning_content: " " } : {};
}

/** The first part with text gets all of it, because the log joined the parts to one text. */
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

/**
 * Replaces the model's call id, which the platform may have changed; such proofs belong to the first call of a turn.
 */
function boundToCall(detail: JsonFields, callIds: readonly string[]): JsonFields {
  const { id, format } = detail;
  const [first] = callIds;
  const isBound = typeof format === "string" && format.startsWith(CALL_BOUND_FORMAT);
  if (!isBound || typeof id !== "string" || callIds.includes(id) || first === undefined) {
    return detail;
  }
  return { ...detail, id: first };
}

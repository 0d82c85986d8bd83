// Reasoning that nobody has signed, as most endpoints give it. Its block keeps who said it, in the place of a signature:
// what one model has thought is not sent to another one.
import type { ThinkingBlock } from "../../protocol/messages/blocks.ts";
import type { SendReasoning } from "../../protocol/models/events.ts";
import type { ModelRequest } from "../../agent/ports.ts";
import type { Adaptation } from "../stream/adapted-requests.ts";
import { openProof, sealProof } from "./sealed-proof.ts";

/** The members that hold it; `thinking` is a block of the Messages API, `reasoning_text` a part of an item of Responses. */
const MEMBERS = ["reasoning_content", "reasoning", "thinking", "reasoning_text"] as const;
export type ReasoningMember = (typeof MEMBERS)[number];

/** In the place of the signature of a thought. */
export function sealUnsigned(by: string, unsigned: ReasoningMember): string | undefined {
  return sealProof(by, { unsigned });
}

/** The member in which a thought was said; null for a signed one, for another model's, and without an author. */
export function unsignedMember(
  { signature }: ThinkingBlock & { readonly signature?: unknown },
  by: string,
): ReasoningMember | null {
  const unsigned = openProof(signature, by)?.["unsigned"];
  return MEMBERS.find((member) => member === unsigned) ?? null;
}

/** Whether the reasoning of the message at an index is sent. */
export function sendsReasoning(
  messages: ModelRequest["messages"],
  how: SendReasoning = "never",
): (index: number) => boolean {
  if (how !== "tool_loop") return () => how === "always";
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  return (index) => index > lastUser;
}

const NAMED = "(?:reasoning_(?:content|details|text)|\\breasoning\\b|\\bthinking\\b)";
/** DeepSeek, Kimi, and gateways to them; Anthropic ("Expected `thinking`"). */
const WANTED = new RegExp(
  `${NAMED}[^\\n]{0,120}(?:must be (?:passed|provided|included|sent|present)|is missing|is required|required)` +
    `|(?:missing|requires?|expected|must (?:include|contain|have|start with))[^\\n]{0,60}${NAMED}`,
  "i",
);
/** DeepSeek's older models, Groq, Cerebras, and what checks members by a schema. */
const UNWANTED = new RegExp(
  `${NAMED}[^\\n]{0,160}(?:not (?:allowed|permitted|supported|valid)|unsupported|unexpected|unknown|unrecognized|extra|forbidden)` +
    `|(?:not (?:allowed|permitted|supported)|unsupported|unexpected|unknown|unrecognized|extra|additional)[^\\n]{0,120}${NAMED}`,
  "i",
);

/** OpenAI, of items that refer to each other, which no other form of the request helps. */
const UNPAIRED = /without its required/i;

/** With the reasoning that is refused when it is missing, or without it where it is refused itself. */
export const withReasoning: Adaptation = ({ words }, { request: { messages }, form, by }) => {
  if (UNPAIRED.test(words)) return null;
  const { send_reasoning = "never", missing_reasoning } = form;
  const has = messages.some(({ content }) =>
    content.some((block) => block.type === "thinking" && unsignedMember(block, by) !== null),
  );
  if (WANTED.test(words)) {
    if (has && send_reasoning !== "always") return { send_reasoning: "always" };
    return missing_reasoning === undefined
      ? { send_reasoning: "always", missing_reasoning: "space" }
      : null;
  }
  const isSent = send_reasoning !== "never" && (has || missing_reasoning !== undefined);
  return isSent && UNWANTED.test(words) ? { send_reasoning: "never" } : null;
};

// Failures of model calls that have ended without an answer: no text, no data and no call. Pure.
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import type { EarlyEnd } from "../ports.ts";
import { modelError } from "../state/model-error.ts";

/** The failure of a call that has ended without an answer. */
export interface EmptyAnswer {
  readonly kind: FailureKind;
  readonly error: ErrorInfo;
}

/** A provider's limit or filter would end the same request again in the same way, so neither error is transient. */
const ENDED_EARLY: Readonly<Record<EarlyEnd, EmptyAnswer>> = {
  output_limit: {
    kind: "output_spent",
    error: {
      type: "invalid_request",
      message: "The model's output limit was spent before it gave an answer.",
    },
  },
  filtered: {
    kind: "answer_withheld",
    error: {
      type: "invalid_request",
      message: "The model provider's filter has withheld the answer.",
    },
  },
};

const SPENT_ON_THINKING: EmptyAnswer = {
  kind: "output_spent",
  error: {
    type: "invalid_request",
    message: "The model's output limit was spent on thinking, before it gave an answer.",
  },
};

/** Whether a model's blocks have an answer. Thinking is none, with or without a signature. */
export function isAnswered(blocks: readonly ContentBlock[]): boolean {
  return blocks.some(({ type }) => type !== "thinking");
}

/** @param blocks Of the call. @param endedEarly Null when the provider has not said that it ended the answer. */
export function emptyAnswer(
  blocks: readonly ContentBlock[],
  endedEarly: EarlyEnd | null,
): EmptyAnswer {
  const hasThought = blocks.some((block) => block.type === "thinking" && block.thinking !== "");
  if (endedEarly === "output_limit" && hasThought) return SPENT_ON_THINKING;
  if (endedEarly) return ENDED_EARLY[endedEarly];
  return { kind: "empty_answer", error: modelError("upstream") };
}

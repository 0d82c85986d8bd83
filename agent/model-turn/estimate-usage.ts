// Estimates the usage of a model call that did not end by itself: providers say it at the end of a stream alone.
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import {
  CHARACTERS_OF_A_TOKEN,
  ESTIMATED_MEDIA_TOKENS,
} from "../../protocol/diagnostics/limits.ts";
import { MAX_CALL_TOKENS } from "../../protocol/models/limits.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ModelRequest } from "../ports.ts";
import { turnBlocks, type ReplyState } from "../state/reply-state.ts";

/** The member of a `MODEL_CALL_END`'s metadata that says that its counts are an estimate. */
export const USAGE_ESTIMATED = "usage_estimated";

/** Failures before a model has read anything: the request did not leave, did not arrive, or was refused. */
const UNREAD: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "credential_refused",
  "permission_refused",
  "quota_spent",
  "not_found",
  "rate_limited",
  "context_too_long",
  "invalid_request",
  "provider_error",
  "redirect",
  "unreachable",
  "dns",
  "tls",
  "egress_refused",
  "setup",
  "internal",
  "unknown",
]);

/** Whether a provider counts the input of a call that failed this way, unless it had begun to answer. */
export function isInputRead(kind: FailureKind): boolean {
  return !UNREAD.has(kind);
}

/** Tokens of a request, by its characters. */
export function estimateInputTokens({ system_prompt, messages, tools }: ModelRequest): number {
  const blocks = messages.flatMap(({ content }) => content);
  return tokensOf(blocks, system_prompt.length + JSON.stringify(tools).length);
}

/**
 * The drafts, in which the end of a model call that was interrupted has an estimate in place of zeros, and says so in
 * its metadata. Unchanged when nothing is to be estimated.
 * @param state Before the drafts.
 * @param inputTokens Of the call's request; null when no model has read it.
 */
export function withEstimatedUsage(
  drafts: readonly EventDraft[],
  state: ReplyState,
  inputTokens: () => number | null,
): readonly EventDraft[] {
  const isEnding = ({ type }: EventDraft) => type === "MODEL_CALL_END";
  if (!state.is_model_call_open || !drafts.some(isEnding)) return drafts;
  return drafts.map((draft) => {
    if (draft.type !== "MODEL_CALL_END" || draft.finished_reason !== "interrupted") return draft;
    const input = inputTokens();
    const output_tokens = tokensOf(turnBlocks(state));
    if (input === null && output_tokens === 0) return draft;
    return {
      ...draft,
      input_tokens: Math.min(input ?? 0, MAX_CALL_TOKENS),
      output_tokens,
      metadata: { ...draft.metadata, [USAGE_ESTIMATED]: true },
    };
  });
}

function tokensOf(blocks: readonly ContentBlock[], characters = 0): number {
  let text = characters;
  let media = 0;
  const pending = [...blocks];
  for (let block = pending.pop(); block; block = pending.pop()) {
    switch (block.type) {
      case "text":
        text += block.text.length;
        break;
      case "thinking":
        text += block.thinking.length;
        break;
      case "tool_call":
        text += block.name.length + block.input.length;
        break;
      case "tool_result":
        if (typeof block.output === "string") text += block.output.length;
        else pending.push(...block.output);
        break;
      case "hint":
        if (typeof block.hint === "string") text += block.hint.length;
        else pending.push(...block.hint);
        break;
      case "data":
        media += 1;
        break;
      default:
        block satisfies never;
    }
  }
  return Math.ceil(text / CHARACTERS_OF_A_TOKEN) + media * ESTIMATED_MEDIA_TOKENS;
}

// The end of a reply that a hook has ended.
import type { HookAnsweredValue } from "../../protocol/hooks/events.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import type { NewId } from "../ports.ts";
import { isClosedFailure } from "../state/hook-record.ts";

export interface HookEnding {
  readonly finished_reason: "completed" | "error";
  readonly error?: ErrorInfo;
  readonly metadata: Record<string, unknown>;
  /** The reply's last words. */
  readonly answer: readonly EventDraft[];
}

/** @param end The answer that ends the reply. */
export function hookEnding(
  end: HookAnsweredValue,
  { reply_id, newId }: { readonly reply_id: string; readonly newId: NewId },
): HookEnding {
  const { hook, point, failure, reason } = end;
  if (isClosedFailure(end)) {
    const message = `The hook ${hook} gave no valid answer, and the reply is to end then.`;
    const metadata = { failed_hook: { hook, point, kind: failure?.kind } };
    return { finished_reason: "error", error: { type: "unknown", message }, metadata, answer: [] };
  }
  const stopped_by = { hook, point, ...(reason !== undefined && { reason }) };
  const words = lastWords(end);
  const block = words === null ? null : { reply_id, block_id: newId("blk") };
  const answer: readonly EventDraft[] =
    block === null || words === null
      ? []
      : [
          { type: "TEXT_BLOCK_START", ...block },
          { type: "TEXT_BLOCK_DELTA", ...block, delta: words },
          { type: "TEXT_BLOCK_END", ...block, text: null },
        ];
  return { finished_reason: "completed", metadata: { stopped_by }, answer };
}

/** The hook's text in place of an answer; a text of `pre_print` is in its block already. */
function lastWords({ point, outcome, text, reason }: HookAnsweredValue): string | null {
  const words = text ?? (outcome === "blocked" ? reason : undefined);
  return words === undefined || words === "" || point === "pre_print" ? null : words;
}

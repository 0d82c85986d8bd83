// Events of an interrupt: the reply's open parts are closed, and then it ends, at once or after a text about the interrupt.
import type { OnInterrupt } from "../../protocol/agents/on-interrupt.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { REPLY_INTERRUPTED } from "../../protocol/fold/append-custom.ts";
import type { NewId } from "../ports.ts";
import { closeOpenParts, closeReply } from "../state/close-reply.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** The `source` of the hint that tells the model of the interrupt. */
export const INTERRUPT_SOURCE = "interrupt";

const INSTRUCTIONS =
  "The user has interrupted you; calls that were not finished have been ended. Say in one or two sentences that you have stopped, what was done, and what was not. Call no tools.";

interface Interrupt {
  readonly session_id: string;
  /** Left out when the reply says nothing about it. */
  readonly on_interrupt?: OnInterrupt | { readonly type: "code" };
  readonly newId: NewId;
}

/**
 * The events of an interrupt, for one append. They end with `REPLY_END`, unless the model is to say something: then the
 * state is `is_interrupted` after them. A second interrupt ends the reply at once.
 */
export function interruptReply(
  state: ReplyState,
  { session_id, on_interrupt = { type: "none" }, newId }: Interrupt,
): EventDraft[] {
  const reply_id = state.message.id;
  const end = closeReply(state, { session_id, finished_reason: "interrupted" });
  if (state.is_interrupted || on_interrupt.type === "none") return end;
  const block = { reply_id, block_id: newId("blk") };
  if (on_interrupt.type === "text") {
    return [
      ...end.slice(0, -1),
      { type: "TEXT_BLOCK_START", ...block },
      { type: "TEXT_BLOCK_DELTA", ...block, delta: on_interrupt.text },
      { type: "TEXT_BLOCK_END", ...block, text: null },
      ...end.slice(-1),
    ];
  }
  const begun: EventDraft[] = [
    // First, so that the end of the open model call does not count as a failure of its model.
    { type: "CUSTOM", name: REPLY_INTERRUPTED, reply_id, value: { reply_id } },
    ...closeOpenParts(state, "interrupted"),
  ];
  if (on_interrupt.type === "code") return begun;
  const hint = on_interrupt.instructions ?? INSTRUCTIONS;
  return [...begun, { type: "HINT_BLOCK", ...block, source: INTERRUPT_SOURCE, hint }];
}

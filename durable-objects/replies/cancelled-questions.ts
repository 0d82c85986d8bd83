import { endOfQuestion } from "../../agent/agents/hand-on.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { ChildTable } from "../tables/child-table.ts";

/** The ends of what still waits under a call that waits no more. @param replyId The reply that has called. */
export function cancelledQuestions(
  { questions }: Pick<ChildTable, "questions">,
  replyId: string,
  tool_call_id: string,
): readonly EventDraft[] {
  return [...questions.open(tool_call_id)].map(([reply_id, { session_id, tool_call_ids }]) =>
    endOfQuestion(replyId, {
      worker_session_id: session_id,
      reply_id,
      tool_call_ids: [...tool_call_ids],
      tool_call_id,
    }),
  );
}

/**
 * The drafts, with the ends of questions of called agents before the ends of the calls that they are under: a reader of the
 * log finds none that waits for nobody.
 */
export function withCancelledQuestions(
  drafts: readonly EventDraft[],
  children: Pick<ChildTable, "questions" | "hasOpen" | "of">,
): readonly EventDraft[] {
  const isEnd = ({ type }: EventDraft) => type === "TOOL_RESULT_END" || type === "REPLY_END";
  if (!drafts.some(isEnd) || !children.hasOpen) return drafts;
  const done = new Set<string>();
  const cancel = (replyId: string, callId: string): readonly EventDraft[] => {
    if (done.has(callId)) return [];
    done.add(callId);
    return cancelledQuestions(children, replyId, callId);
  };
  return drafts.flatMap((draft) => {
    if (draft.type === "TOOL_RESULT_END") {
      return [...cancel(draft.reply_id, draft.tool_call_id), draft];
    }
    if (draft.type !== "REPLY_END") return [draft];
    const calls = children.of(draft.reply_id);
    return [...calls.flatMap((call) => cancel(draft.reply_id, call.tool_call_id)), draft];
  });
}

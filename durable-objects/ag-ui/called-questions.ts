// Questions of called agents, as a run of the thread above them answers them.
import type { OpenCall, ResolvedEntry } from "../../agent/loop/decide-run.ts";
import type { ResumeEntry } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { interruptId, parseInterruptId } from "../../protocol/dialects/ag-ui/runs/interrupt-id.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** The questions of called agents that wait under a reply. Their ids are those of their interrupts. */
export function calledQuestions({ tables }: OpenSession, replyId: string): readonly OpenCall[] {
  const { children } = tables.calls;
  const working = children.of(replyId).filter(({ phase }) => phase === "working");
  return working.flatMap(({ tool_call_id }) =>
    children.questions.pending(tool_call_id).map((asked): OpenCall => {
      const { kind, tool_call, reply_id, input_hash } = asked;
      const { id: call_id, name } = tool_call;
      const id = interruptId(reply_id, call_id);
      return { id, name, kind, is_client: false, called: { reply_id, call_id, input_hash } };
    }),
  );
}

/** An entry about a called agent's question; null for any other. @param waiting The questions that wait. */
export function matchCalled(
  { tables }: OpenSession,
  entry: ResumeEntry,
  waiting: readonly OpenCall[],
): ResolvedEntry | null {
  const named = parseInterruptId(entry.interrupt_id);
  const asked = named && tables.calls.children.questions.of(named.reply_id);
  if (!named || !asked?.some(({ call_id }) => call_id === named.call_id)) return null;
  const open = waiting.find(({ id, called }) => called && id === entry.interrupt_id);
  // A confirmed call may wait for its result now: the repeated confirmation is not that result.
  const isOpen = open && (open.kind === "permission" || kindOf(entry) === "external_result");
  return { entry, open_call_id: isOpen ? open.id : null, is_known: true, is_called: true };
}

/** The question that an entry answers: a call may ask for its permission, and then for its result. */
export function kindOf({ payload }: ResumeEntry): OpenCall["kind"] {
  if (typeof payload !== "object" || payload === null) return "external_result";
  const isPermission = Object.hasOwn(payload, "approved") && !Object.hasOwn(payload, "output");
  return isPermission ? "permission" : "external_result";
}

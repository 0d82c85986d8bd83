// Hands an answer to a question of a called agent down to the session that has asked, one level at a time: each session knows
// under which of its calls a worker is.
import type { WrittenAnswer } from "../../agent/json/complete-answer.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { Actor, EventReceipt, Idempotency, Once } from "../api/session-api.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { fileIdsOf } from "../settings/file-ids-in.ts";
import type { Child } from "../tables/child-table.ts";

/** The detail of an answer that comes when the reply that has called the agent is over. */
export const CALLER_ENDED =
  "the reply that has called this agent has ended, and the question with it";

interface HandedDown {
  readonly actor: Actor;
  readonly trace?: TraceContext | undefined;
  readonly idempotency?: Idempotency | undefined;
}

/** The agent under whose call a reply of this id has asked something; null where there is none. */
export function findAsking({ tables }: OpenSession, replyId: string): Child | null {
  const { children } = tables.calls;
  const [asked] = children.questions.of(replyId);
  return asked ? children.find(asked.tool_call_id) : null;
}

/**
 * The answer of the session that has asked, with this session's cursor. Once it is taken, this session's log and views say
 * so too.
 */
export async function handDown(
  session: OpenSession,
  child: Child,
  event: WrittenAnswer,
  { actor, trace, idempotency }: HandedDown,
): Promise<Once<EventReceipt>> {
  const { log, runner } = session;
  if (isCancelled(session, child, event)) {
    return refuse("call_not_pending", CALLER_ENDED, { extensions: { state: "finished" } });
  }
  await log.settled();
  const cursor = log.visibleSeq;
  const { copies } = runner.children;
  const key = idempotency && {
    key: `below ${idempotency.key}`,
    fingerprint: idempotency.fingerprint,
  };
  const options = { actor, trace, idempotency: key };
  const given = await ask(async () => {
    await copies.shareFiles(child, filesOf(event));
    return copies.stubOf(child).act("postEvent", event, options);
  });
  if (!given.ok) return given;
  await copies.note(child.tool_call_id);
  if (log.isClosed) return refuse("not_found", "there is no such session");
  return { ...given, ...accept({ ...given.value, cursor }) };
}

/** The files of results, which belong to the session that they were posted to. */
function filesOf(event: WrittenAnswer): readonly string[] {
  if (event.type !== "EXTERNAL_EXECUTION_RESULT") return [];
  return event.execution_results.flatMap(({ output }) =>
    typeof output === "string" ? [] : output.flatMap(fileIdsOf),
  );
}

async function ask(post: () => Promise<Once<EventReceipt>>): Promise<Once<EventReceipt>> {
  let given: Result<EventReceipt>;
  try {
    given = await withinDeadline(post(), AGENT_ANSWER_MS);
  } catch (error) {
    console.warn("an answer could not be handed to a called agent", { error: String(error) });
    return refuse("unavailable", "the session that has asked cannot be reached; ask again soon");
  }
  if (given.ok || given.refusal.code !== "not_found") return given;
  return refuse("call_not_pending", "the session that has asked was deleted", {
    extensions: { state: null },
  });
}

/** Whether the calling reply, or its call alone, has ended before the answer. Its agent may not have heard of that yet. */
function isCancelled(
  { openReply, tables }: OpenSession,
  { reply_id, phase }: Child,
  event: WrittenAnswer,
): boolean {
  // A reply that says something about its interrupt is open, and has ended its calls.
  const isOpen = openReply?.id === reply_id && !openReply.isOver;
  if (isOpen && phase === "working") return false;
  const ids = new Set(
    event.type === "USER_CONFIRM_RESULT"
      ? event.confirm_results.map(({ tool_call }) => tool_call.id)
      : event.execution_results.map(({ id }) => id),
  );
  const asked = tables.calls.children.questions.of(event.reply_id);
  return asked.some(({ call_id, ended }) => ids.has(call_id) && ended !== "answered");
}

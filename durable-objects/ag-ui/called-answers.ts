// The answers of a run to questions of agents that the thread's replies have called. The sessions that ask take them, one
// after the other; unlike those of the reply's own calls they are not all accepted or none.
import {
  SUBAGENT_USER_CONFIRM_RESULT,
  subagentUserConfirmResultOf,
} from "../../protocol/agents/events.ts";
import { answersOf, type AnswerableCall } from "../../protocol/dialects/ag-ui/input/answers-of.ts";
import type { ResumeEntry } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { parseInterruptId } from "../../protocol/dialects/ag-ui/runs/interrupt-id.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { EventOf } from "../../protocol/events.ts";
import { postEvent } from "../acts/events.ts";
import type { Actor, RunStart } from "../api/session-api.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { EarlierAnswer } from "./answered-interrupts.ts";
import { kindOf } from "./called-questions.ts";
import { confirmationEvent, executionEvent, refusalInRun, refuseRights } from "./run-answers.ts";
import type { ViewedRun } from "./view-run.ts";

/** A requested run, its actor, and the session's view of its input at this moment. */
export interface AskedRun {
  readonly start: RunStart;
  readonly actor: Actor;
  readonly view: ViewedRun;
}

/** A question of a called agent, and the entry that answers it. */
interface Given {
  readonly reply_id: string;
  readonly call: AnswerableCall;
  /** Of the input that was shown; null where none was. */
  readonly input_hash: string | null;
  readonly entry: ResumeEntry;
}

/** The view without the questions of called agents, whose answers were handed down. */
export function withoutCalled(view: ViewedRun): ViewedRun {
  const waiting = view.waiting.filter(({ called }) => !called);
  const entries = view.entries.map((each) =>
    each.is_called ? { ...each, open_call_id: null } : each,
  );
  return { ...view, open: view.open && { ...view.open, waiting }, waiting, entries };
}

/** Hands the run's answers to the sessions that ask. Those that were taken stay taken when a later one is refused. */
export async function handDownAnswers(
  session: OpenSession,
  { start, actor, view }: AskedRun,
): Promise<Result<null>> {
  const given = view.waiting.flatMap(({ id, name, kind, called }): readonly Given[] => {
    const answer = view.entries.find(({ open_call_id }) => open_call_id === id);
    if (!called || !answer) return [];
    const { reply_id, call_id, input_hash } = called;
    return [{ reply_id, call: { id: call_id, name, kind }, input_hash, entry: answer.entry }];
  });
  return postAnswers(session, given, start.rights, actor);
}

/**
 * The places in the log of answers to questions of called agents that were given before. @param isChecked Whether this request
 * has just given them; others are compared with what was given, as the sessions that have asked know it.
 */
export async function findCalledAnswers(
  session: OpenSession,
  { start, actor, view }: AskedRun,
  isChecked: boolean,
): Promise<Result<readonly EarlierAnswer[]>> {
  const answered = view.entries.filter((each) => each.is_called && each.open_call_id === null);
  const given = answered.flatMap(({ entry }): readonly Given[] => {
    const named = parseInterruptId(entry.interrupt_id);
    // A question that is over takes a cancellation, which changes nothing.
    if (!named || entry.status === "cancelled") return [];
    const call = { id: named.call_id, kind: kindOf(entry) };
    return [{ reply_id: named.reply_id, call, input_hash: null, entry }];
  });
  const checked = isChecked ? accept(null) : await postAnswers(session, given, start.rights, actor);
  if (!checked.ok) return checked;
  await session.log.settled();
  const places: EarlierAnswer[] = [];
  for (const { entry } of answered) {
    const place = placeOf(session, entry);
    if (!place)
      return refuse("unavailable", "the answer is not in this thread yet; ask again soon");
    places.push(place);
  }
  return accept(places);
}

/** One event for each reply that asks, and each kind of question. */
async function postAnswers(
  session: OpenSession,
  given: readonly Given[],
  rights: RunStart["rights"],
  actor: Actor,
): Promise<Result<null>> {
  for (const reply_id of new Set(given.map((each) => each.reply_id))) {
    const own = given.filter((each) => each.reply_id === reply_id);
    const resume = own.map(({ entry }) => entry);
    const waiting = own.map(({ call }) => call);
    const answers = answersOf({ reply_id, waiting, resume, results: [] });
    if (!answers.ok) return answers;
    const forbidden = refuseRights(answers.value, rights);
    if (forbidden) return forbidden;
    const { confirmations, results } = answers.value;
    const hashes = { ...hashesOfCancelled(own), ...answers.value.hashes };
    const events = [
      ...(confirmations.length > 0 ? [confirmationEvent(reply_id, { confirmations, hashes })] : []),
      ...(results.length > 0 ? [executionEvent(reply_id, { results })] : []),
    ];
    for (const event of events) {
      const taken = await postEvent(session, event, actor);
      // The same answer to a reply that has ended meanwhile is refused, and says so.
      if (taken.ok || taken.refusal.extensions?.["same_answer"] === true) continue;
      return refusalInRun(taken.refusal, true);
    }
  }
  return accept(null);
}

/** Nothing of a cancelled call runs, so that its entry need not prove which input was shown. */
function hashesOfCancelled(given: readonly Given[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.flatMap(({ call, input_hash, entry }) =>
      entry.status === "cancelled" && input_hash !== null ? [[call.id, input_hash] as const] : [],
    ),
  );
}

/** The place at which the log says that the question waits no more. Cost: reads the reply that has called the agent. */
function placeOf({ tables, log }: OpenSession, entry: ResumeEntry): EarlierAnswer | null {
  const named = parseInterruptId(entry.interrupt_id);
  const { children } = tables.calls;
  const [asked] = named ? children.questions.of(named.reply_id) : [];
  const child = asked && children.find(asked.tool_call_id);
  const row = child && tables.replies.find(child.reply_id);
  if (!named || !row) return null;
  let seq: number | null = null;
  for (const { item } of log.events(row.start_cursor, row.end_seq ?? undefined)) {
    if (item.type !== "CUSTOM" || !isEndOf(item, named)) continue;
    seq = item.seq;
    if (kindOf(entry) === "permission") break;
  }
  return seq === null ? null : { reply_id: row.id, seq };
}

function isEndOf(
  { name, value }: EventOf<"CUSTOM">,
  named: { readonly reply_id: string; readonly call_id: string },
): boolean {
  if (name !== SUBAGENT_USER_CONFIRM_RESULT) return false;
  const ended = subagentUserConfirmResultOf(value);
  return ended?.reply_id === named.reply_id && ended.tool_call_ids.includes(named.call_id);
}

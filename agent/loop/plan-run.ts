// What becomes of a run of AG-UI: the client sends all that it has, and what is new of that decides. Pure.
import type { ResumeEntry } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import {
  accept,
  refuse,
  type ErrorCode,
  type FieldError,
  type Result,
} from "../../protocol/errors.ts";

/** A call of the open reply that somebody outside has to say something about. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly kind: "permission" | "external_result";
  /** The client brought its tool, and runs it. */
  readonly is_client: boolean;
}

/** An entry of `resume`, and how what it names stands. */
export interface StandingEntry {
  readonly entry: ResumeEntry;
  /** Of a call that waits: its id. */
  readonly open_call_id: string | null;
  /** False where the session has no such call. */
  readonly is_known: boolean;
}

/** The reply that runs or waits. */
interface OpenReply {
  readonly id: string;
  readonly is_running: boolean;
  readonly waiting: readonly OpenCall[];
}

/** The conversation at one moment, and what the run brings. */
export interface RunView {
  readonly open: OpenReply | null;
  readonly entries: readonly StandingEntry[];
  /** Ids of the calls that the transcript has a result for. */
  readonly result_ids: ReadonlySet<string>;
  /** The transcript has user messages that the session does not know. */
  readonly has_news: boolean;
  /** The transcript's last user message is known, and nobody has answered it: it was observed, or copied. */
  readonly is_unanswered: boolean;
  /** The reply that read the newest user message of the transcript; null when none did. */
  readonly known_reply_id: string | null;
}

export type RunPlan =
  /** The messages begin a reply. */
  | { readonly type: "start" }
  /** What came for the calls that wait is taken, all of it, and the reply goes on. */
  | { readonly type: "answer" }
  /** The results that came are taken, and the reply is ended; then it is asked again. */
  | { readonly type: "give_up" }
  /** What follows the answers that are there already. */
  | { readonly type: "continuation" }
  /** That reply once more. */
  | { readonly type: "again"; readonly reply_id: string };

/** The same view always gives the same plan. Whether answers say what they may is asked elsewhere. */
export function planRun(view: RunView): Result<RunPlan> {
  const { open, entries } = view;
  const unknown = entries.find(({ is_known }) => !is_known);
  if (unknown) {
    const detail = `there is no interrupt ${unknown.entry.interrupt_id} in this thread`;
    return refuseRun("interrupt_unknown", detail, [unknown]);
  }
  if (open?.is_running) return planBeside(view, open);
  if (!open) return planAlone(view);
  return open.waiting.every(({ is_client }) => is_client)
    ? planWithClientCalls(view, open.waiting)
    : planWithInterrupts(view, open.waiting);
}

/** A reply runs: whoever asks for what it answers may watch it, and nobody begins another one. */
function planBeside(view: RunView, { id }: OpenReply): Result<RunPlan> {
  if (!view.has_news && !bringsAnswer(view)) {
    const seen = planSeen(view);
    if (seen) return accept(seen);
  }
  const detail = `reply ${id} is running in this thread; wait for its end, or interrupt it`;
  return refuse("reply_running", detail, { extensions: { reply_id: id } });
}

function planAlone(view: RunView): Result<RunPlan> {
  if (view.has_news) return accept({ type: "start" });
  const seen = planSeen(view);
  if (seen) return accept(seen);
  return view.is_unanswered ? accept({ type: "start" }) : refuseEmpty();
}

/** The client is about to bring results, and may go on without them: it alone knows whether they will come. */
function planWithClientCalls(view: RunView, waiting: readonly OpenCall[]): Result<RunPlan> {
  if (view.has_news) return accept({ type: "give_up" });
  if (waiting.some((call) => isCovered(call, view))) return accept({ type: "answer" });
  const seen = planSeen(view);
  return seen ? accept(seen) : refuseEmpty();
}

/**
 * Somebody is asked: nothing else happens in the thread before that is answered, all of it in one run. A message that was
 * written meanwhile is in the transcript for good; it stays new, and the next run begins a reply to it.
 */
function planWithInterrupts(view: RunView, waiting: readonly OpenCall[]): Result<RunPlan> {
  const uncovered = waiting.filter((call) => !isCovered(call, view));
  const isReplay = view.entries.length > 0 && uncovered.length === waiting.length;
  if (isReplay && !view.has_news) return accept({ type: "continuation" });
  if (uncovered.length > 0) {
    const ids = uncovered.map(({ id }) => id).join(", ");
    const detail = `the run has to answer every open interrupt; those of the calls ${ids} are not`;
    return refuse("interrupts_open", detail, { extensions: { tool_call_ids: idsOf(uncovered) } });
  }
  return accept({ type: "answer" });
}

/** What the client may have missed: it brings nothing that the session does not have. */
function planSeen({ entries, known_reply_id }: RunView): RunPlan | null {
  if (entries.length > 0) return { type: "continuation" };
  return known_reply_id === null ? null : { type: "again", reply_id: known_reply_id };
}

/** Whether an interrupt is answered that nobody has answered before. */
function bringsAnswer({ entries }: RunView): boolean {
  return entries.some(({ open_call_id }) => open_call_id !== null);
}

/** A result may come as a message; whether a call may run is for `resume` alone to say. */
function isCovered({ id, kind }: OpenCall, { entries, result_ids }: RunView): boolean {
  if (entries.some(({ open_call_id }) => open_call_id === id)) return true;
  return kind === "external_result" && result_ids.has(id);
}

function idsOf(calls: readonly OpenCall[]): readonly string[] {
  return calls.map(({ id }) => id);
}

function refuseEmpty(): Result<never> {
  const detail = "the run brings no message, result or answer that the thread does not have";
  return refuse("run_empty", detail);
}

function refuseRun(
  code: ErrorCode,
  detail: string,
  entries: readonly StandingEntry[],
): Result<never> {
  const errors = entries.map(({ entry }): FieldError => ({ pointer: entry.pointer, detail }));
  return refuse(code, detail, { errors });
}

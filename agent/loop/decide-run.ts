// Decides what a run of AG-UI does: its client sends the whole conversation, and its new parts decide. Pure.
import type { ResumeEntry } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { accept, refuse, type ErrorCode, type Result } from "../../protocol/errors.ts";
import type { FieldError } from "../../protocol/field-error.ts";

/** A call of the open reply that waits for an answer. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly kind: "permission" | "external_result";
  /** The tool was declared by the client, which runs it. */
  readonly is_client: boolean;
  /** The call of a called agent's reply, of which `id` is the interrupt's; left out for a call of the reply itself. */
  readonly called?: {
    readonly reply_id: string;
    readonly call_id: string;
    readonly input_hash: string | null;
  };
}

/** An entry of `resume` and the state of the call that it names. */
export interface ResolvedEntry {
  readonly entry: ResumeEntry;
  /** The id of the call when it waits; null otherwise. */
  readonly open_call_id: string | null;
  /** False where the session has no such call. */
  readonly is_known: boolean;
  /** The call is one of a called agent. */
  readonly is_called?: true;
}

/** The reply that runs or waits. */
interface OpenReply {
  readonly id: string;
  readonly is_running: boolean;
  readonly waiting: readonly OpenCall[];
}

/** A snapshot of the conversation, and what the run brings. */
export interface RunView {
  readonly open: OpenReply | null;
  readonly entries: readonly ResolvedEntry[];
  /** Ids of the calls that the transcript has a result for. */
  readonly result_ids: ReadonlySet<string>;
  /** The transcript has user messages that are new to the session. */
  readonly has_new_messages: boolean;
  /** The transcript's last user message is known but has no reply: it was added without one, or copied by a fork. */
  readonly is_unanswered: boolean;
  /** The reply that read the newest user message of the transcript; null when none did. */
  readonly known_reply_id: string | null;
}

export type RunDecision =
  /** The new messages begin a reply. */
  | { readonly type: "start" }
  /** Answers to all waiting calls are accepted, and the reply continues. */
  | { readonly type: "answer" }
  /** The same, but those to questions of called agents are handed to them first. */
  | { readonly type: "hand_down" }
  /** The results that came are accepted, the reply is ended, and the run is decided again. */
  | { readonly type: "give_up" }
  /** Streams what follows the answers that were given before. */
  | { readonly type: "continuation" }
  /** Streams that reply again. */
  | { readonly type: "again"; readonly reply_id: string };

/** Pure. Whether the content of the answers is acceptable is checked elsewhere. */
export function decideRun(view: RunView): Result<RunDecision> {
  const { open, entries } = view;
  const unknown = entries.find(({ is_known }) => !is_known);
  if (unknown) {
    const detail = `there is no interrupt ${unknown.entry.interrupt_id} in this thread`;
    return refuseRun("interrupt_unknown", detail, [unknown]);
  }
  if (open?.is_running && !isAbout(view, open)) return decideWhileRunning(view, open);
  if (!open) return decideWithoutOpenReply(view);
  return open.waiting.every(({ is_client }) => is_client)
    ? decideWithClientCalls(view, open.waiting)
    : decideWithInterrupts(view, open.waiting);
}

/**
 * Pure. Whether the run brings anything that the thread has not taken: a message, an answer to an open interrupt, a
 * pending result, or an answer to nothing. Without any of these a request under a known id repeats an earlier one.
 */
export function bringsInput({
  open,
  entries,
  result_ids,
  has_new_messages,
  is_unanswered,
}: RunView): boolean {
  if (has_new_messages || (is_unanswered && entries.length === 0)) return true;
  if (entries.some(({ open_call_id, is_known }) => open_call_id !== null || !is_known)) return true;
  const waiting = open && !open.is_running ? open.waiting : [];
  return waiting.some(({ id, kind }) => kind === "external_result" && result_ids.has(id));
}

/** Whether the run is about questions of called agents: it brings something, and some wait while their caller runs. */
function isAbout({ entries, has_new_messages }: RunView, { waiting }: OpenReply): boolean {
  const isAsked = waiting.some(({ called }) => called);
  return isAsked && (has_new_messages || entries.length > 0);
}

/** While a reply runs, a client that has nothing new may watch it; no other reply can begin. */
function decideWhileRunning(view: RunView, { id }: OpenReply): Result<RunDecision> {
  if (!view.has_new_messages && !answersOpenCall(view)) {
    const seen = decideReplay(view);
    if (seen) return accept(seen);
  }
  const detail = `reply ${id} is running in this thread; wait for its end, or interrupt it`;
  return refuse("reply_running", detail, { extensions: { reply_id: id } });
}

function decideWithoutOpenReply(view: RunView): Result<RunDecision> {
  if (view.has_new_messages) return accept({ type: "start" });
  const seen = decideReplay(view);
  if (seen) return accept(seen);
  return view.is_unanswered ? accept({ type: "start" }) : refuseEmpty();
}

/** All waiting calls are the client's own: it may bring results, or continue without them. */
function decideWithClientCalls(view: RunView, waiting: readonly OpenCall[]): Result<RunDecision> {
  if (view.has_new_messages) return accept({ type: "give_up" });
  if (waiting.some((call) => isCovered(call, view))) return accept({ type: "answer" });
  const seen = decideReplay(view);
  return seen ? accept(seen) : refuseEmpty();
}

/**
 * Calls wait for a person or an external system: one run has to answer all of them before anything else happens in the
 * thread. A message that was written meanwhile stays in the transcript as new, and the next run begins a reply to it.
 */
function decideWithInterrupts(view: RunView, waiting: readonly OpenCall[]): Result<RunDecision> {
  const open = waiting.filter((call) => !isCovered(call, view));
  const isOwnOpen = waiting.some(({ called }) => !called);
  // A reply that waits itself goes on with answers to its own calls; an agent may have asked when its run had ended.
  const uncovered = isOwnOpen ? open.filter(({ called }) => !called) : open;
  const isReplay = view.entries.length > 0 && open.length === waiting.length;
  if (isReplay && !view.has_new_messages) return accept({ type: "continuation" });
  if (uncovered.length > 0) {
    const ids = uncovered.map(({ id }) => id).join(", ");
    const detail = `the run has to answer every open interrupt; those of the calls ${ids} are not`;
    return refuse("interrupts_open", detail, { extensions: { tool_call_ids: idsOf(uncovered) } });
  }
  const isForAgents = waiting.some((call) => call.called && isCovered(call, view));
  return accept({ type: isForAgents ? "hand_down" : "answer" });
}

/** The stream for a run that brings nothing new: the client may have missed it. */
function decideReplay({ entries, known_reply_id }: RunView): RunDecision | null {
  if (entries.length > 0) return { type: "continuation" };
  return known_reply_id === null ? null : { type: "again", reply_id: known_reply_id };
}

/** Whether the run answers an interrupt that is still open. */
function answersOpenCall({ entries }: RunView): boolean {
  return entries.some(({ open_call_id }) => open_call_id !== null);
}

/** Whether the run answers the call. A result may come as a message; a permission is answered only in `resume`. */
function isCovered({ id, kind }: OpenCall, { entries, result_ids }: RunView): boolean {
  if (entries.some(({ open_call_id }) => open_call_id === id)) return true;
  return kind === "external_result" && result_ids.has(id);
}

function idsOf(calls: readonly OpenCall[]): readonly string[] {
  return calls.map(({ id }) => id);
}

function refuseEmpty(): Result<never> {
  const detail = "the run has no message, result or answer that is new to the thread";
  return refuse("run_empty", detail);
}

function refuseRun(
  code: ErrorCode,
  detail: string,
  entries: readonly ResolvedEntry[],
): Result<never> {
  const errors = entries.map(({ entry }): FieldError => ({ pointer: entry.pointer, detail }));
  return refuse(code, detail, { errors });
}

// The status of a task with its message: what is asked, or why it has failed.
import { A2A_EXTENSION, type A2aQuestion, type A2aQuestions } from "../../a2a/extension.ts";
import type { A2aMessage, A2aPart, A2aTaskState, A2aTaskStatus } from "../../a2a/wire.ts";
import type { ErrorInfo } from "../../messages/messages.ts";
import type { ReplyStatus } from "../../replies/contract.ts";
import { MAX_A2A_WORDS_CHARACTERS } from "./limits.ts";
import { questionsOf, type AskedCall } from "./questions.ts";
import { a2aTaskState } from "./task-state.ts";

/** The names of a task: its reply's id, and its context as its client names it. */
export interface A2aTaskNames {
  readonly task_id: string;
  readonly context_id: string;
}

/** The status of a task's reply; `submitted` before it has begun. */
export type TaskPhase = ReplyStatus | "submitted";

/** The state of a reply, as far as its task's status needs it. */
interface StatedReply {
  readonly status: TaskPhase;
  /** The calls that a waiting reply waits for, also those of agents that it has called. */
  readonly asked: readonly AskedCall[];
  readonly error: ErrorInfo | null;
  /** The time since which that is so; null where it is not known. */
  readonly at: string | null;
}

/** States in which a task's stream ends: the client is to answer, or nothing follows. */
const SETTLED: ReadonlySet<A2aTaskState> = new Set<A2aTaskState>([
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);

const INTERRUPTED: ReadonlySet<A2aTaskState> = new Set<A2aTaskState>([
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
]);

/** Whether a task in this state is over, or waits for its client. */
export function isSettledTask(state: A2aTaskState): boolean {
  return SETTLED.has(state);
}

/** Whether nothing can follow a task in this state. */
export function isTerminalTask(state: A2aTaskState): boolean {
  return SETTLED.has(state) && !INTERRUPTED.has(state);
}

export function taskStatus(
  names: A2aTaskNames,
  { status, asked, error, at }: StatedReply,
): A2aTaskStatus {
  const state = status === "submitted" ? "TASK_STATE_SUBMITTED" : a2aTaskState(status, asked);
  const message = statusMessage(names, { status, error, questions: questionsOf(asked) });
  return { state, ...(message && { message }), ...(at !== null && { timestamp: timestampOf(at) }) };
}

function statusMessage(
  names: A2aTaskNames,
  {
    status,
    error,
    questions,
  }: Pick<StatedReply, "status" | "error"> & { readonly questions: readonly A2aQuestion[] },
): A2aMessage | null {
  switch (status) {
    case "awaiting_permission":
    case "awaiting_external_result": {
      const [first] = questions;
      const words = questions.map(({ message, url }) => (url ? `${message} ${url}` : message));
      const text = words.join("\n").slice(0, MAX_A2A_WORDS_CHARACTERS);
      const asks: A2aQuestions = { questions };
      return message(names, `${first?.call_id}:${questions.length}`, [
        { text: text === "" ? "The agent waits for an answer." : text },
        { data: { [A2A_EXTENSION]: asks }, mediaType: "application/json" },
      ]);
    }
    case "error":
      return message(names, "end", [{ text: error?.message ?? "The agent has failed." }]);
    case "exceed_max_iters":
      return message(names, "end", [{ text: "The agent has used up its rounds and stopped." }]);
    default:
      return null;
  }
}

/** @param part Names the message among those of the task, for every reader the same. */
function message(
  { task_id, context_id }: A2aTaskNames,
  part: string,
  parts: readonly A2aPart[],
): A2aMessage {
  return {
    messageId: `${task_id}:${part}`,
    contextId: context_id,
    taskId: task_id,
    role: "ROLE_AGENT",
    parts,
    ...(parts.length > 1 && { extensions: [A2A_EXTENSION] }),
  };
}

/** RFC 3339 in UTC with milliseconds, of a time of the log. */
function timestampOf(time: string): string {
  const timeMs = Date.parse(time);
  return Number.isNaN(timeMs) ? time : new Date(timeMs).toISOString();
}

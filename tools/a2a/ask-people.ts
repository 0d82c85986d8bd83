// The next step where a task of another system's agent waits for somebody.
import { answerParts, confirmsOf, readQuestions } from "../../agent/a2a/read-questions.ts";
import type { KeptTask } from "../../agent/mcp/kept-task.ts";
import type { ToolChunk } from "../../agent/ports.ts";
import { MAX_REMOTE_ROUNDS } from "../../protocol/a2a/client-limits.ts";
import type { A2aPart, A2aTaskStatus } from "../../protocol/a2a/wire.ts";
import { IN_A_LOOP, SECRET } from "./remote-sentences.ts";

type Asked =
  /** The task is to be cancelled, for this reason. */
  | { readonly type: "refuse"; readonly reason: string }
  /** Nobody is asked: this is the answer. */
  | { readonly type: "answer"; readonly task: KeptTask; readonly parts: readonly A2aPart[] }
  | { readonly type: "ask"; readonly task: KeptTask; readonly chunk: ToolChunk };

/** @param task As it is kept before; the one that is given back is to be kept. */
export function askPeople(
  { state, message }: A2aTaskStatus,
  task: KeptTask,
  { agent, answerMs }: { readonly agent: string; readonly answerMs: number },
): Asked {
  const rounds = task.rounds + 1;
  if (rounds > MAX_REMOTE_ROUNDS) return { type: "refuse", reason: IN_A_LOOP };
  const read = readQuestions(message, state === "TASK_STATE_AUTH_REQUIRED");
  if (!read.ok) return { type: "refuse", reason: `The agent ${read.problem}.` };
  const { requests, asked: questions, settled } = read;
  const context_id = contextOf(task);
  if (Object.keys(requests).length > 0) {
    const about = { server: agent, requests, round: rounds, held: false };
    const elicitation = { ...about, ...confirmsOf(questions) };
    const chunk = { type: "ask", elicitation, ttl_ms: answerMs } as const;
    return {
      type: "ask",
      task: { ...task, rounds, remote: { context_id, questions, settled } },
      chunk,
    };
  }
  const parts = answerParts(questions, settled);
  if (!parts) return { type: "refuse", reason: SECRET };
  return { type: "answer", task: { ...task, rounds, remote: noneAsked(context_id) }, parts };
}

export function noneAsked(context_id: string): NonNullable<KeptTask["remote"]> {
  return { context_id, questions: [], settled: {} };
}

export function contextOf({ remote }: KeptTask): string {
  return remote?.context_id ?? "";
}

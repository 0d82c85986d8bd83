// Tasks as their callers see them, and the wait for one.
import {
  A2A_BLOCKING_MS,
  A2A_CALLED_LOOK_MS,
  A2A_RETRY_MS,
  A2A_TASK_WAIT_MS,
  A2A_TOKEN_LEFT_MS,
  MAX_A2A_FAILURES,
} from "../../protocol/a2a/limits.ts";
import type { A2aTask } from "../../protocol/a2a/wire.ts";
import { waitingStatus } from "../../protocol/dialects/a2a/to-a2a-task.ts";
import { unwrap } from "../http-error.ts";
import { type Principal, readerOf } from "../principal.ts";
import { taskNotFound } from "./a2a-error.ts";
import type { A2aCall } from "./a2a-call.ts";
import { stubOf, type TaskPlace } from "./find-task.ts";
import { hasRight } from "./require-right.ts";

interface ShownParts {
  /** All of its messages when left out, none for 0. */
  readonly history_length?: number | undefined;
  readonly include_artifacts?: boolean;
}

/** The task, for a caller who may read it. @throws A2aError for one that has gone with its session. */
export async function readTask(
  call: A2aCall,
  { session_id, reply_id }: TaskPlace,
  { history_length, include_artifacts = true }: ShownParts,
): Promise<A2aTask> {
  const found = await stubOf(call, session_id).act("a2aTask", {
    reply_id,
    include_artifacts,
    ...(history_length !== undefined && { history_length }),
  });
  if (!found.ok && found.refusal.code === "not_found") throw taskNotFound();
  return shownTask(call.context.get("principal"), unwrap(found));
}

/** A credential that may not read sees how the task stands, and no content. */
function shownTask(principal: Principal, task: A2aTask): A2aTask {
  if (hasRight(principal, "read")) return task;
  const { id, contextId, status } = task;
  const { message: _, ...stands } = status;
  return { id, contextId, status: stands };
}

/** A reply that goes on at once after it has waited says so a time or two. */
const MAX_QUICK_ANSWERS = 2;

interface Waiting {
  /** As long as a message is waited for when left out. */
  readonly longestMs?: number;
  /** Whoever waits has left. */
  readonly left?: AbortSignal;
}

/** Resolves when the task has ended or waits for somebody, when the time is over, or nobody waits any more. */
export async function awaitTask(
  call: A2aCall,
  { session_id, reply_id }: TaskPlace,
  { longestMs = A2A_BLOCKING_MS, left }: Waiting,
): Promise<void> {
  const untilMs = Date.now() + Math.min(longestMs, credentialMs(call));
  let askMs = A2A_TASK_WAIT_MS;
  let failures = 0;
  let quick = 0;
  for (;;) {
    const leftMs = untilMs - Date.now();
    if (leftMs <= 0 || left?.aborted) return;
    try {
      // Another stub each time: that of a lost machine stays broken.
      const question = { reply_id, wait_ms: Math.min(askMs, leftMs) };
      const askedMs = Date.now();
      const asked = await stubOf(call, session_id).act("readReply", question);
      if (!asked.ok || waitingStatus(asked.value) !== "running") return;
      if (asked.value.subagents?.length) askMs = A2A_CALLED_LOOK_MS;
      failures = 0;
      // A session that cannot be read takes no time to say that its reply runs.
      quick = Date.now() - askedMs < A2A_CALLED_LOOK_MS / 2 ? quick + 1 : 0;
      if (quick > MAX_QUICK_ANSWERS) await scheduler.wait(A2A_RETRY_MS);
    } catch (error) {
      // The next question finds another machine, which recovers the reply.
      failures += 1;
      if (failures > MAX_A2A_FAILURES) throw error;
      await scheduler.wait(A2A_RETRY_MS * failures);
    }
  }
}

/** The wait ends with the credential. */
function credentialMs({ context }: A2aCall): number {
  const principal = context.get("principal");
  if (principal.kind === "client_token") {
    return principal.claims.exp - A2A_TOKEN_LEFT_MS - Date.now();
  }
  const { key_expires_at } = readerOf(context);
  return key_expires_at === undefined ? Infinity : Date.parse(key_expires_at) - Date.now();
}

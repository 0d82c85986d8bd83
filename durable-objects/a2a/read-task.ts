// Replies as tasks of A2A.
import type { A2aTask } from "../../protocol/a2a/wire.ts";
import { toA2aTask } from "../../protocol/dialects/a2a/to-a2a-task.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import { taskHistory } from "../dialects/task-history.ts";
import { taskNames } from "../dialects/task-names.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { eventsBetween } from "../sessions/replay-events.ts";

export interface A2aTaskQuestion {
  readonly reply_id: string;
  /** The newest messages of its history; all when left out, none for 0. */
  readonly history_length?: number;
  /** True when left out. */
  readonly include_artifacts?: boolean;
  /** Longest wait for its end, or until it waits itself, in milliseconds; none when left out. */
  readonly wait_ms?: number;
}

type ShownMembers = Pick<A2aTaskQuestion, "history_length" | "include_artifacts">;

/** A task in its durable state. */
export async function readTask(
  session: OpenSession,
  { reply_id, wait_ms = 0, ...shown }: A2aTaskQuestion,
): Promise<Result<A2aTask>> {
  const found = await session.queue.read(reply_id, wait_ms);
  return found.ok ? accept(taskOf(session, found.value, shown)) : found;
}

/** The reply, as its session shows it, as a task. */
export function taskOf(
  session: OpenSession,
  reply: Reply,
  { history_length, include_artifacts = true }: ShownMembers,
): A2aTask {
  const names = taskNames(session, reply.id);
  const isQueued = session.tables.queue.find(reply.id) !== null;
  const at = reply.message?.finished_at ?? timeAt(session, reply.cursor);
  const task = toA2aTask(names, reply, { isQueued, hasArtifacts: include_artifacts, at });
  const history = taskHistory(session, names, history_length);
  return history.length > 0 ? { ...task, history } : task;
}

/** The time of the event of this seq. */
function timeAt(session: OpenSession, seq: number): string | null {
  const [event] = eventsBetween(session, seq - 1, seq);
  return event?.created_at ?? null;
}

import type { A2aTask } from "../../protocol/a2a/wire.ts";
import { readTask, type A2aTaskQuestion } from "../a2a/read-task.ts";
import { listTasks, type A2aTaskPage, type A2aTasksQuestion } from "../a2a/list-tasks.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { act } from "./act.ts";

interface RemotePush {
  /** Of the address to which it was posted. */
  readonly push_id: string;
}

/** Resolves when the look that it asks for is on disk. */
async function takeRemotePush(
  { log, runner, sync }: OpenSession,
  { push_id }: RemotePush,
): Promise<Result<null>> {
  if (log.isClosed || !(await runner.tasks.pushed(push_id))) {
    return refuse("not_found", "no call waits for a task that was given this address");
  }
  await sync();
  return accept(null);
}

export const A2A_ACTS = {
  /** A reply as a task, in its durable state. */
  a2aTask: act<A2aTaskQuestion, A2aTask>({ answersUnreadable: true, run: readTask }),

  /** The tasks of the session. The one whose status is the newest comes first. */
  a2aTasks: act<A2aTasksQuestion, A2aTaskPage>({ answersUnreadable: true, run: listTasks }),
  /** An agent of another system has posted that its task for a call of ours has changed. */
  takeRemotePush: act<RemotePush, null>({ run: takeRemotePush }),
} as const;

import type { A2aTask } from "../../protocol/a2a/wire.ts";
import { readTask, type A2aTaskQuestion } from "../a2a/read-task.ts";
import { listTasks, type A2aTaskPage, type A2aTasksQuestion } from "../a2a/list-tasks.ts";
import { act } from "./act.ts";

export const A2A_ACTS = {
  /** A reply as a task, in its durable state. */
  a2aTask: act<A2aTaskQuestion, A2aTask>({ answersUnreadable: true, run: readTask }),

  /** The tasks of the session. The one whose status is the newest comes first. */
  a2aTasks: act<A2aTasksQuestion, A2aTaskPage>({ answersUnreadable: true, run: listTasks }),
} as const;

import type { SessionTask, SessionTaskList } from "../../protocol/background/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { Transport } from "../transport/transport.ts";
import { postTo } from "../transport/write-requests.ts";

/** Work of tools that goes on without its call; changes appear in the stream as `CUSTOM background_task_…`. */
export interface TasksHandle {
  /** Tasks that work, and the newest of those that have ended. */
  list(options?: RequestOptions): Promise<readonly SessionTask[]>;
  /** Stops a task; one that has ended stays as it is. */
  cancel(taskId: string, options?: RequestOptions): Promise<SessionTask>;
}

export function tasksOf(transport: Transport, sessionId: string): TasksHandle {
  const path = ["sessions", sessionId, "tasks"];
  return {
    list: async (options) => (await transport.get<SessionTaskList>(path, options)).data,
    cancel: (taskId, options) => postTo(transport, [...path, taskId, "cancel"], undefined, options),
  };
}

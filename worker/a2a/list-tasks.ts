// `ListTasks`: in one context from its session, over contexts from the rows of tasks, each shown as its session has it.
import {
  A2A_LIST_ASKED_AT_ONCE,
  A2A_LIST_CONTENT_ASKED_AT_ONCE,
} from "../../protocol/a2a/limits.ts";
import type { ListTasksRequest } from "../../protocol/a2a/read-requests.ts";
import type { A2aTask } from "../../protocol/a2a/wire.ts";
import { MAX_PAGE_BYTES } from "../../protocol/requests/limits.ts";
import { a2aPageToken } from "../../storage/a2a/a2a-task-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { unwrap } from "../http-error.ts";
import { tenantOf } from "../principal.ts";
import { A2aError, invalidField } from "./a2a-error.ts";
import type { A2aCall } from "./a2a-call.ts";
import { findContext } from "./find-context.ts";
import { stubOf } from "./find-task.ts";
import { readTask } from "./read-tasks.ts";

interface TaskList {
  readonly tasks: readonly A2aTask[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

interface TaskRow {
  readonly id: string;
  readonly session_id: string;
  readonly status_at: string;
}

export async function listTasks(call: A2aCall, request: ListTasksRequest): Promise<TaskList> {
  const principal = call.context.get("principal");
  // A client token has one context, named or not.
  return request.contextId !== undefined || principal.kind === "client_token"
    ? listInContext(call, request)
    : listOverContexts(call, request);
}

/** None for a context that is not there, or not this caller's. */
async function listInContext(call: A2aCall, request: ListTasksRequest): Promise<TaskList> {
  const { contextId, status, pageSize, pageToken, historyLength, includeArtifacts } = request;
  const context = await findContext(call, contextId);
  if (!context?.is_open) return { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
  const found = await stubOf(call, context.session_id).act("a2aTasks", {
    limit: pageSize,
    include_artifacts: includeArtifacts,
    ...(status !== undefined && { state: status }),
    ...(pageToken !== undefined && { before: pageToken }),
    ...(historyLength !== undefined && { history_length: historyLength }),
    ...(request.statusTimestampAfter !== undefined && {
      status_after: request.statusTimestampAfter,
    }),
  });
  if (!found.ok && found.refusal.code === "validation_failed") throw badPageToken();
  const { tasks, next, total } = unwrap(found);
  return { tasks, nextPageToken: next ?? "", pageSize, totalSize: total };
}

async function listOverContexts(call: A2aCall, request: ListTasksRequest): Promise<TaskList> {
  const { context, agent } = call;
  const { status, pageSize, pageToken, statusTimestampAfter: after } = request;
  const principal = context.get("principal");
  const { a2aTasks } = tenantStorage(context.env.DB, tenantOf(context));
  const page = await a2aTasks.list({
    agent_id: agent.id,
    limit: pageSize,
    ...(principal.kind === "end_user" && { end_user_id: principal.endUserId }),
    ...(status !== undefined && { state: status }),
    ...(after !== undefined && { after }),
    ...(pageToken !== undefined && { page_token: pageToken }),
  });
  if (!page) throw badPageToken();
  const { total: totalSize, next_page_token } = page;
  const { tasks, nextPageToken = next_page_token } = await takeRows(call, request, page.tasks);
  return { tasks, nextPageToken, pageSize, totalSize };
}

/**
 * The tasks of rows while they fit a page, and the first one in any case.
 * @returns the name of the next page when there is one before the last row.
 */
async function takeRows(
  call: A2aCall,
  request: ListTasksRequest,
  rows: readonly TaskRow[],
): Promise<{ tasks: readonly A2aTask[]; nextPageToken?: string }> {
  const { historyLength, includeArtifacts } = request;
  const isBare = historyLength === 0 && !includeArtifacts;
  const atOnce = isBare ? A2A_LIST_ASKED_AT_ONCE : A2A_LIST_CONTENT_ASKED_AT_ONCE;
  const tasks: A2aTask[] = [];
  let bytes = 0;
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce);
    const shown = await Promise.all(some.map((row) => showRow(call, request, row)));
    for (const [index, task] of shown.entries()) {
      if (!task) continue;
      bytes += JSON.stringify(task).length;
      const before = rows[from + index - 1];
      if (bytes > MAX_PAGE_BYTES && tasks.length > 0 && before) {
        return { tasks, nextPageToken: a2aPageToken(before) };
      }
      tasks.push(task);
    }
  }
  return { tasks };
}

function badPageToken(): A2aError {
  return invalidField("pageToken", "is none that this list has given");
}

/** Null for a task whose session has gone since. */
async function showRow(
  call: A2aCall,
  { historyLength, includeArtifacts }: ListTasksRequest,
  { id, session_id }: TaskRow,
): Promise<A2aTask | null> {
  const shown = { history_length: historyLength, include_artifacts: includeArtifacts };
  try {
    return await readTask(call, { session_id, reply_id: id }, shown);
  } catch (error) {
    if (error instanceof A2aError && error.failure.name === "task_not_found") return null;
    throw error;
  }
}

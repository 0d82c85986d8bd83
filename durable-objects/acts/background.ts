// The tasks of a session: people list and stop them, and a tool's server posts the result of one.
import { OutcomeWriter } from "../../agent/background/task-outcome.ts";
import type {
  SessionTask,
  SessionTaskList,
  TaskReceipt,
  TaskResult,
} from "../../protocol/background/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { SecretFilter } from "../../outgoing/secret-filter.ts";
import { answerChunks, type ToolAnswer } from "../../tools/answer-shape.ts";
import { toolHeaders } from "../../tools/prepare-request.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { listMcpTasks, viewTask } from "../background/view-tasks.ts";
import { admitBytes } from "../sessions/admit-bytes.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { StoredTask } from "../tables/background-table.ts";
import { act, type ActContext } from "./act.ts";

const GONE = refuse("not_found", "there is no such session");
const NO_TASK = refuse("not_found", "there is no such task");

/** A posted result, before its content is looked at. */
export interface PostedTask {
  readonly task_id: string;
  /** A hash of the body: the same one again is no other result. */
  readonly fingerprint: string;
  /** Of the body. */
  readonly bytes: number;
}

async function listTasks(session: OpenSession): Promise<Result<SessionTaskList>> {
  const { init, log, openReply, tables } = session;
  const mcp = await listMcpTasks(init.session_id, openReply, tables.calls);
  const data = [...mcp.map(({ view }) => view), ...tables.background.list().map(viewTask)];
  await log.settled();
  return log.isClosed ? GONE : accept({ data });
}

/** Resolves when the stop is on disk. */
async function cancelTask(
  session: OpenSession,
  { task_id }: Pick<PostedTask, "task_id">,
  { recordResult }: ActContext<SessionTask>,
): Promise<Result<SessionTask>> {
  const { init, log, openReply, runner, tables, background } = session;
  const task = findTask(session, task_id);
  if (task) {
    if (task.status === "working") await background.stop(task);
    if (log.isClosed) return GONE;
    const view = viewTask(tables.background.find(task_id) ?? task);
    session.transaction(() => recordResult(view));
    return accept(view);
  }
  const mcp = await listMcpTasks(init.session_id, openReply, tables.calls);
  const found = mcp.find(({ view }) => view.id === task_id);
  if (log.isClosed || !found) return NO_TASK;
  if (!runner.tasks.stop(found.callId, background.inBackground)) {
    return refuse("conflict", "the call continues with its task at this moment; try again");
  }
  await log.settled();
  const ended_at = new Date().toISOString();
  const view: SessionTask = { ...found.view, status: "cancelled", ended_at };
  session.transaction(() => recordResult(view));
  return accept(view);
}

/** One that was let go. */
function findTask({ tables }: OpenSession, id: string): StoredTask | null {
  const task = tables.background.find(id);
  return task?.status === "attached" ? null : task;
}

/** Whether a result may be taken; the receipt of one that was taken before. Null when it may. */
function checkPosted(
  session: OpenSession,
  { task_id, fingerprint, bytes }: PostedTask,
): Result<TaskReceipt | null> {
  const { log, tables } = session;
  const task = log.isClosed ? null : tables.background.find(task_id);
  if (!task || (task.status === "attached" && !isAwaited(session, task))) {
    return refuse(
      "not_found",
      "there is no such task: its call has ended, or its session was deleted",
    );
  }
  if (task.fingerprint === fingerprint) return accept({ task_id, applied: false });
  if (task.fingerprint !== null) {
    return refuse("conflict", "another result was posted for this task; the first one counts");
  }
  if (task.status !== "working" && task.status !== "attached") {
    return refuse("conflict", `the task has ended before: ${task.message ?? task.status}`);
  }
  if (bytes > task.max_bytes) {
    const detail = `the result has ${bytes} bytes, and its tool's max_bytes is ${task.max_bytes}`;
    return refuse("body_too_large", detail);
  }
  return accept(null);
}

/** Whether the call goes on, here or on a machine to come, or its result was posted before. */
function isAwaited(
  { openReply }: OpenSession,
  { reply_id, tool_call_id, fingerprint }: StoredTask,
): boolean {
  if (fingerprint !== null) return true;
  if (openReply?.id !== reply_id) return false;
  return !openReply.state.message.content.some(
    (block) =>
      block.type === "tool_result" && block.id === tool_call_id && block.state !== "running",
  );
}

/** Resolves when the result is on disk. */
async function endTask(
  session: OpenSession,
  { result, ...posted }: PostedTask & { readonly result: TaskResult },
): Promise<Result<TaskReceipt>> {
  const { background, log, tables } = session;
  const { task_id, fingerprint } = posted;
  const known = checkPosted(session, posted);
  if (!known.ok) return known;
  if (known.value) return accept(known.value);
  const admitted = await admitBytes(session, result);
  // The work was done: what a tenant that is stopped gets of it waits for it.
  if (!admitted.ok && admitted.refusal.code === "quota_exceeded") return admitted;
  const filter = await filterOf(session, tables.background.find(task_id)?.tool_name ?? "");
  const answer = filter.value(result) as ToolAnswer;
  const now = checkPosted(session, posted);
  if (!now.ok) return now;
  if (now.value) return accept(now.value);
  if (background.answer(task_id, answer, fingerprint)) {
    await session.sync();
    return log.isClosed ? GONE : accept({ task_id, applied: true });
  }
  const outcome = new OutcomeWriter();
  let end: { state: "success" | "error"; metadata?: Record<string, unknown> } = {
    state: "success",
  };
  for (const chunk of answerChunks(answer)) {
    if (chunk.type === "end") end = chunk;
    else if (chunk.type === "text" || chunk.type === "data" || chunk.type === "url") {
      outcome.add(chunk);
    }
  }
  const ended = await background.end(task_id, outcome.end(end), { fingerprint });
  if (log.isClosed) return GONE;
  if (!ended) return refuse("conflict", "the task has ended meanwhile");
  return accept({ task_id, applied: true });
}

/** Takes the secrets out that the tool was sent, as of an answer of its own. */
async function filterOf({ settings }: OpenSession, toolName: string): Promise<SecretFilter> {
  const { init } = settings;
  const tool = equippedAgent(init).tools.find((one) => "name" in one && one.name === toolName);
  if (tool?.type !== "http") return new SecretFilter([]);
  const isUsable = await settings.confirmCredentials(init);
  const secrets = await settings.openSecrets(isUsable, "init");
  const made = toolHeaders(tool, tool.url, secrets);
  return new SecretFilter(made.ok ? made.secrets : []);
}

export const BACKGROUND_ACTS = {
  /** Tasks that work, and the newest of the others. */
  listTasks: act<void, SessionTaskList>({ run: listTasks }),

  /** Resolves when it is on disk. A task that has ended stays as it is. */
  cancelTask: act<Pick<PostedTask, "task_id">, SessionTask, SessionTask>({
    run: cancelTask,
    replay: (_session, kept) => accept(kept),
  }),

  /** Whether a result may be posted, before its media is stored; null when it may. */
  checkPostedTask: act<PostedTask, TaskReceipt | null>({ run: checkPosted }),

  /** A tool's server posts the result of a task, once. */
  endTask: act<PostedTask & { readonly result: TaskResult }, TaskReceipt>({ run: endTask }),
} as const;

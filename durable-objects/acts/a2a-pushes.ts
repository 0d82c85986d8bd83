// Acts on the push notification configs of tasks, and those by which their notifications leave. A task is a reply that a client
// of A2A has begun; any other reply is not found here.
import type { A2aMark } from "../../protocol/a2a/a2a-mark.ts";
import { MAX_A2A_PUSH_BYTES, MAX_A2A_PUSH_CONFIGS } from "../../protocol/a2a/limits.ts";
import type { A2aStreamResponse, A2aTaskStatus } from "../../protocol/a2a/wire.ts";
import { artifactsOf } from "../../protocol/dialects/a2a/artifacts.ts";
import { a2aTaskState } from "../../protocol/dialects/a2a/task-state.ts";
import { toA2aTask } from "../../protocol/dialects/a2a/to-a2a-task.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { artifactIds } from "../replies/note-pushes.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type {
  PushEnd,
  PushedStatus,
  PushPlace,
  StoredPushConfig,
  WaitingPush,
} from "../tables/a2a-push-table.ts";
import { act } from "./act.ts";

interface CreatedPushConfig {
  readonly reply_id: string;
  readonly config: StoredPushConfig;
  /**
   * Also what has happened to the task already is told, unless the task has the config: it came with the message that has
   * begun it, which may be sent again.
   */
  readonly since_start?: boolean;
}

/** A notification that is to be sent now, with the secrets as they are sealed. */
export interface TakenPush {
  readonly number: number;
  readonly attempts: number;
  /** JSON of a {@link A2aStreamResponse}. */
  readonly body: string;
  readonly config: StoredPushConfig;
}

interface PushAttempt extends PushPlace, Pick<TakenPush, "number" | "attempts"> {
  readonly end: Omit<PushEnd, "nowMs">;
}

interface Task {
  readonly context_id: string;
  /** Null of one that has not begun. */
  readonly status: ReplyStatus | null;
}

interface TaskPlace {
  readonly reply_id: string;
  readonly task: Task;
}

function findTask({ tables }: Pick<OpenSession, "tables">, replyId: string): Task | null {
  const row = tables.replies.find(replyId);
  if (row) {
    if (row.a2a === null) return null;
    const { context_id } = JSON.parse(row.a2a) as A2aMark;
    return { context_id, status: row.status };
  }
  const mark = tables.queue.find(replyId) && tables.queue.read(replyId)?.a2a;
  return mark ? { context_id: mark.context_id, status: null } : null;
}

function unknownTask(replyId: string): Result<never> {
  return refuse("not_found", `there is no task ${replyId}`);
}

/** One with the same id is replaced: what is still to be told goes to the new address. */
async function createPushConfig(
  session: OpenSession,
  { reply_id, config, since_start = false }: CreatedPushConfig,
): Promise<Result<StoredPushConfig>> {
  const task = findTask(session, reply_id);
  if (!task) return unknownTask(reply_id);
  const { pushes } = session.tables;
  const others = pushes.configs(reply_id).filter(({ id }) => id !== config.id);
  if (others.length >= MAX_A2A_PUSH_CONFIGS) {
    const detail = `a task has ${MAX_A2A_PUSH_CONFIGS} push notification configs at most; delete one`;
    return refuse("conflict", detail);
  }
  const isKnown = pushes.config({ reply_id, config_id: config.id }) !== null;
  session.transaction(() => {
    pushes.put(reply_id, config);
    if (!since_start || isKnown || task.status === null) return;
    // While it runs, all that is finished is told when it waits or ends; only agents that it has called may ask already.
    if (task.status === "running") return pushes.addStatus(reply_id, "asked", config.id);
    const message = messageOf(session, reply_id);
    if (message) pushes.addArtifacts(reply_id, artifactIds(message), config.id);
    pushes.addStatus(reply_id, task.status, config.id);
  });
  await session.sync();
  return accept(config);
}

function readPushConfig(session: OpenSession, place: PushPlace): Result<StoredPushConfig> {
  if (!findTask(session, place.reply_id)) return unknownTask(place.reply_id);
  const config = session.tables.pushes.config(place);
  if (config) return accept(config);
  return refuse("not_found", "the task has no push notification config with this id");
}

function listPushConfigs(
  session: OpenSession,
  { reply_id }: Pick<PushPlace, "reply_id">,
): Result<readonly StoredPushConfig[]> {
  if (!findTask(session, reply_id)) return unknownTask(reply_id);
  return accept(session.tables.pushes.configs(reply_id));
}

async function deletePushConfig(session: OpenSession, place: PushPlace): Promise<Result<null>> {
  if (!findTask(session, place.reply_id)) return unknownTask(place.reply_id);
  session.transaction(() => session.tables.pushes.remove(place));
  await session.sync();
  return accept(null);
}

/** Notifications of artifacts that were taken back, or are too large, are passed over. */
async function takePush(session: OpenSession, place: PushPlace): Promise<Result<TakenPush | null>> {
  const { pushes } = session.tables;
  const task = findTask(session, place.reply_id);
  if (!task) return accept(null);
  // Nobody is told of what is not on disk yet and may be lost.
  await session.log.settled();
  for (;;) {
    if (session.log.isClosed) return accept(null);
    const push = pushes.next(place, Date.now());
    if (!push) return accept(null);
    const { number } = push;
    const attempts = push.attempts + 1;
    session.transaction(() => pushes.begin(place, push, Date.now()));
    const body = await bodyOf(session, { ...place, task }, push);
    if (body !== null) {
      await session.sync();
      // The config may have been deleted or replaced meanwhile: nothing goes to an address that its client has taken back.
      const config = pushes.config(place);
      return accept(config && { number, attempts, body, config });
    }
    const over = { outcome: "over", nowMs: Date.now() } as const;
    session.transaction(() => pushes.end(place, { number, attempts }, over));
  }
}

async function endPush(
  session: OpenSession,
  { number, attempts, end, ...place }: PushAttempt,
): Promise<Result<{ readonly has_more: boolean }>> {
  const { pushes } = session.tables;
  const has_more = session.transaction(() =>
    pushes.end(place, { number, attempts }, { ...end, nowMs: Date.now() }),
  );
  await session.sync();
  return accept({ has_more });
}

/** Null for an artifact that was taken back, and for what is too large to be told. */
async function bodyOf(
  session: OpenSession,
  place: TaskPlace,
  push: WaitingPush,
): Promise<string | null> {
  const response =
    push.artifact_id === null
      ? await statusUpdate(session, place, push)
      : artifactUpdate(session, place, push.artifact_id);
  const body = response && JSON.stringify(response);
  return body !== null && utf8Bytes(body) <= MAX_A2A_PUSH_BYTES ? body : null;
}

function artifactUpdate(
  session: OpenSession,
  { reply_id, task }: TaskPlace,
  artifactId: string,
): A2aStreamResponse | null {
  const message = messageOf(session, reply_id);
  const artifact = message && artifactsOf(message).find((one) => one.artifactId === artifactId);
  if (!artifact) return null;
  const owner = { taskId: reply_id, contextId: task.context_id };
  return { artifactUpdate: { ...owner, artifact, append: false, lastChunk: true } };
}

/** A status that has passed is told without its questions: nobody can answer them any more. */
async function statusUpdate(
  session: OpenSession,
  { reply_id, task: { context_id } }: TaskPlace,
  { status: told, at }: WaitingPush,
): Promise<A2aStreamResponse | null> {
  const found = await session.queue.read(reply_id, 0);
  if (!found.ok || told === null) return null;
  const names = { task_id: reply_id, context_id };
  const shown = { isQueued: false, hasArtifacts: false, at };
  const now = toA2aTask(names, found.value, shown).status;
  const status = statusOf({ told, at }, { now, status: found.value.status });
  if (!status) return null;
  const owner = { taskId: reply_id, contextId: context_id };
  const whole = { statusUpdate: { ...owner, status } };
  if (utf8Bytes(JSON.stringify(whole)) <= MAX_A2A_PUSH_BYTES) return whole;
  const { message: _, ...short } = status;
  return { statusUpdate: { ...owner, status: short } };
}

/** Null where agents that the reply has called change nothing for the task. */
function statusOf(
  { told, at }: { readonly told: PushedStatus; readonly at: string },
  { now, status }: { readonly now: A2aTaskStatus; readonly status: ReplyStatus },
): A2aTaskStatus | null {
  const isOpen = status === "running";
  if (told === "asked") return isOpen && now.state !== "TASK_STATE_WORKING" ? now : null;
  if (told === "answered") return isOpen && now.state === "TASK_STATE_WORKING" ? now : null;
  return told === status ? now : { state: a2aTaskState(told, []), timestamp: at };
}

function messageOf({ tables, active }: OpenSession, replyId: string): Msg | null {
  if (active?.id === replyId) return active.state.message;
  return tables.messages.ofReply(replyId)?.message ?? null;
}

export const A2A_PUSH_ACTS = {
  /** Resolves when it is on disk. */
  createA2aPushConfig: act<CreatedPushConfig, StoredPushConfig>({ run: createPushConfig }),

  readA2aPushConfig: act<PushPlace, StoredPushConfig>({ run: readPushConfig }),

  /** In the order of their ids. */
  listA2aPushConfigs: act<Pick<PushPlace, "reply_id">, readonly StoredPushConfig[]>({
    run: listPushConfigs,
  }),

  /** Also when there is none. */
  deleteA2aPushConfig: act<PushPlace, null>({ run: deletePushConfig }),

  /** The next thing that this config is told, whose attempt has begun; null for nothing. */
  takeA2aPush: act<PushPlace, TakenPush | null>({ run: takePush }),

  /** The end of an attempt. */
  endA2aPush: act<PushAttempt, { readonly has_more: boolean }>({ run: endPush }),
} as const;

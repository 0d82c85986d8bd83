// A record of a task while its call waits, and the time at which the task is looked at again. Pure: the time is given.
import type { AskedQuestion } from "../a2a/read-questions.ts";
import {
  MAX_REMOTE_PUSHED_POLL_MS,
  REMOTE_PUSH_LOOK_MS,
  REMOTE_PUSHED_POLL_MS,
} from "../../protocol/a2a/client-limits.ts";
import type { McpTask } from "../../protocol/mcp/task.ts";
import type { InputResponses, McpTaskStatus } from "../../protocol/mcp/events.ts";
import {
  MAX_MCP_TASK_MS,
  MAX_MCP_TASK_POLL_MS,
  MCP_TASK_POLL_MS,
  MCP_TASK_POLL_SHARE,
  MCP_TASK_SILENCE_MS,
  MIN_MCP_TASK_MS,
  MIN_MCP_TASK_POLL_MS,
} from "../../protocol/mcp/limits.ts";
import type { TaskRead } from "./read-task.ts";

/** A task of an agent of another system (A2A). */
interface RemoteTask {
  /** The agent's; empty where it gave none. */
  readonly context_id: string;
  /** The questions that wait, in the way in which their answers go back; empty when none do. */
  readonly questions: readonly AskedQuestion[];
  /** Answers that nobody is asked for. */
  readonly settled: InputResponses;
}

/** An address of ours to which the agent of another system posts that its task has changed. */
interface TaskPush {
  /** Of the address. */
  readonly id: string;
  /** The agent's name for what it has been given; null as long as it has not said that it took it. */
  readonly config_id: string | null;
  /** The time of the look that was asked for last, as a Unix time in milliseconds; 0 before. */
  readonly look_at: number;
}

/** Times are Unix times in milliseconds. */
export interface KeptTask {
  readonly id: string;
  readonly server_id: string;
  readonly server: string;
  /** Of the server's session in which it was made; null for none. */
  readonly session_id: string | null;
  readonly status: McpTaskStatus;
  readonly message: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  /** Milliseconds, as the server wants it, within the bounds. */
  readonly poll_ms: number;
  readonly poll_at: number;
  /** Since when the server does not answer for it; null when it does. */
  readonly failing_since: number | null;
  /** Rounds in which the call continued with the task. */
  readonly rounds: number;
  /** Messages that the task has shown so far. */
  readonly messages: number;
  /** The keys of the questions that were asked last. */
  readonly asked: readonly string[];
  /** The keys of questions whose answers the server has: it may list them for some time yet. */
  readonly answered: readonly string[];
  /** Left out for a task of an MCP server. */
  readonly remote?: RemoteTask;
  /** Left out where the agent was given no address. */
  readonly push?: TaskPush;
}

export interface TaskOrigin {
  /** Of an agent of another system the name of the tool. */
  readonly server_id: string;
  readonly server: string;
  readonly session_id: string | null;
  readonly remote?: RemoteTask;
}

export function keepTask(read: TaskRead, origin: TaskOrigin, nowMs: number): KeptTask {
  const poll_ms = pollMsOf(read, MCP_TASK_POLL_MS);
  const { id, status, message } = read;
  const expires_at = expiryOf(read, nowMs, MAX_MCP_TASK_MS);
  return {
    id,
    ...origin,
    status,
    message,
    created_at: nowMs,
    expires_at,
    poll_ms,
    // A task that is over is looked at at once.
    poll_at: status === "working" ? Math.min(nowMs + poll_ms, expires_at) : nowMs,
    failing_since: null,
    rounds: 0,
    messages: message === null ? 0 : 1,
    asked: [],
    answered: [],
  };
}

/** The server has answered for it. */
export function heardOf(kept: KeptTask, read: TaskRead, nowMs: number): KeptTask {
  const { status, message } = read;
  const poll_ms = pollMsOf(read, kept.poll_ms);
  const isNew = message !== null && message !== kept.message;
  return {
    ...kept,
    status,
    message: message ?? kept.message,
    messages: kept.messages + (isNew ? 1 : 0),
    expires_at: expiryOf(read, kept.created_at, kept.expires_at - kept.created_at),
    poll_ms,
    poll_at: nextLook(kept, poll_ms, nowMs),
    failing_since: null,
  };
}

/** The server has not. Less and less is asked of one that is down. */
export function unheardOf(kept: KeptTask, nowMs: number): KeptTask {
  const failing_since = Math.min(kept.failing_since ?? nowMs, nowMs);
  const waitMs = Math.max(kept.poll_ms, nowMs - failing_since);
  const poll_at = nowMs + Math.min(waitMs, MAX_MCP_TASK_POLL_MS);
  return { ...kept, failing_since, poll_at };
}

/**
 * The agent has posted that the task has changed: a look is due, once for all that is posted until then, and not more often
 * than every {@link REMOTE_PUSH_LOOK_MS}. Null where one is due already.
 */
export function pushedFor(kept: KeptTask, nowMs: number): KeptTask | null {
  const { push } = kept;
  if (!push || push.look_at > nowMs) return null;
  const look_at = Math.max(nowMs, push.look_at + REMOTE_PUSH_LOOK_MS);
  return { ...kept, push: { ...push, look_at } };
}

/**
 * The task as a look has found it, with the look that the agent has asked for while it was made, or that was still to come when
 * it began: that one may know more. @param startedMs When the look began.
 */
export function withPushes(looked: KeptTask, kept: KeptTask | null, startedMs: number): KeptTask {
  const [now, before] = [kept?.push, looked.push];
  if (!now || !before) return looked;
  if (now.look_at <= before.look_at && now.look_at <= startedMs) return looked;
  return { ...looked, push: now, poll_at: Math.min(looked.poll_at, now.look_at) };
}

/** Whether a call that waits for it continues: there is something to do, or nothing more to wait for. */
export function isTaskDue(kept: KeptTask, questions: readonly string[], nowMs: number): boolean {
  if (nowMs >= kept.expires_at || isSilentTooLong(kept, nowMs)) return true;
  if (kept.status === "working") return false;
  if (kept.status !== "input_required" || questions.length === 0) return true;
  return questions.some((key) => !kept.answered.includes(key));
}

export function isSilentTooLong({ failing_since }: KeptTask, nowMs: number): boolean {
  return failing_since !== null && nowMs - failing_since >= MCP_TASK_SILENCE_MS;
}

/** As clients see it. */
export function shownTask({ server, status, message, expires_at }: KeptTask): McpTask {
  return { server, status, message, expires_at: new Date(expires_at).toISOString() };
}

/** The older it is, the less often it is looked at; always once more before its end. */
function nextLook(kept: KeptTask, pollMs: number, nowMs: number): number {
  const ofAge = Math.max(nowMs - kept.created_at, 0) * MCP_TASK_POLL_SHARE;
  // An agent that has promised to tell is asked all the same: what it posts may be lost.
  const [leastMs, mostMs] = kept.push?.config_id
    ? [REMOTE_PUSHED_POLL_MS, MAX_REMOTE_PUSHED_POLL_MS]
    : [pollMs, MAX_MCP_TASK_POLL_MS];
  const waitMs = Math.min(Math.max(leastMs, ofAge), mostMs);
  return Math.max(Math.min(nowMs + waitMs, kept.expires_at), nowMs + MIN_MCP_TASK_POLL_MS);
}

function pollMsOf({ pollMs }: TaskRead, otherwise: number): number {
  return clamp(pollMs ?? otherwise, MIN_MCP_TASK_POLL_MS, MAX_MCP_TASK_POLL_MS);
}

function expiryOf({ ttlMs }: TaskRead, createdMs: number, otherwise: number): number {
  return createdMs + clamp(ttlMs ?? otherwise, MIN_MCP_TASK_MS, MAX_MCP_TASK_MS);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

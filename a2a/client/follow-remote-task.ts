// Follows what an agent does with one message, or with a task that it has. When the connection is lost, the task is
// fetched and subscribed to; the message is never sent again. What a subscription missed or repeats the protocol does not
// say (A2A#1410), so that behind one artifacts are taken from the fetched task alone.
import { pause } from "../../runtime/pause.ts";
import {
  MAX_REMOTE_RESUBSCRIPTIONS,
  MAX_REMOTE_STREAM_MS,
  REMOTE_FIRST_MS,
  REMOTE_REQUEST_MS,
  REMOTE_RESUBSCRIBE_DELAY_MS,
  REMOTE_SILENCE_MS,
} from "../../protocol/a2a/client-limits.ts";
import type {
  A2aMessage,
  A2aStreamResponse,
  A2aTask,
  A2aTaskState,
} from "../../protocol/a2a/wire.ts";
import type { RemoteAgentClient, RemoteFailure, RemoteResult } from "./remote-client.ts";
import { isAtRest, isTerminal, stateOf } from "./task-state.ts";

export type RemoteStep =
  | { readonly type: "update"; readonly response: A2aStreamResponse }
  /** The last step: the task is over, or waits for somebody, or the agent has answered with a message alone. */
  | { readonly type: "at_rest" }
  /** The last step: the task works on, and has to be asked for. */
  | { readonly type: "silent" }
  | { readonly type: "failed"; readonly failure: RemoteFailure };

export type RemoteStart =
  | { readonly type: "message"; readonly message: A2aMessage }
  | { readonly type: "task"; readonly taskId: string };

interface FollowSettings {
  readonly stop: AbortSignal;
  readonly acceptedOutputModes?: readonly string[];
  /** Milliseconds without an update after which a task is left; {@link REMOTE_SILENCE_MS} when left out. */
  readonly silenceMs?: number;
}

/** Contract: never throws. After `stop` it ends without another step. */
export async function* followRemoteTask(
  client: RemoteAgentClient,
  start: RemoteStart,
  { stop, acceptedOutputModes, silenceMs = REMOTE_SILENCE_MS }: FollowSettings,
): AsyncGenerator<RemoteStep, void> {
  const beganMs = Date.now();
  let taskId = start.type === "task" ? start.taskId : (start.message.taskId ?? null);
  let contextId = (start.type === "message" && start.message.contextId) || null;
  const isAnswer = taskId !== null;
  let hasArtifacts = false;
  for (let connections = 0; ; connections += 1) {
    const connection = new AbortController();
    const signal = AbortSignal.any([stop, connection.signal]);
    const isFresh = connections === 0 && start.type === "message";
    const source =
      isFresh || taskId === null
        ? sendOnce()
        : client.canStream || connections === 0
          ? client.subscribe(taskId, { signal })
          : null;
    let failure: RemoteFailure | null = null;
    try {
      const reader = source?.[Symbol.asyncIterator]();
      for (let isFirst = true; reader; isFirst = false) {
        const limitMs = isFirst && taskId === null ? REMOTE_FIRST_MS : silenceMs;
        const heldMs = beganMs + MAX_REMOTE_STREAM_MS - Date.now();
        const read = await within(reader.next(), Math.min(limitMs, Math.max(heldMs, 0)), stop);
        if (stop.aborted) return;
        if (read === null) {
          yield taskId === null ? failed(SILENT) : { type: "silent" };
          return;
        }
        if (read.done) break;
        if (!read.value.ok) {
          failure = read.value.failure;
          break;
        }
        const response = read.value.value;
        const problem = findLie(response);
        if (problem !== null) {
          yield failed({ kind: "malformed_answer", reason: problem, mayHaveArrived: true });
          return;
        }
        if (isFresh || !response.artifactUpdate) yield { type: "update", response };
        hasArtifacts ||= isContent(response);
        const state = stateOf(response);
        // The first frame after an answer may still show the question.
        const isBefore = isFresh && isFirst && isAnswer && client.canStream && !isOver(state);
        if (response.message || (state !== null && isAtRest(state) && !isBefore)) {
          // An agent may say the end before what it has made, and behind a lost connection nothing else is sure.
          const isWhole = (isFresh && hasArtifacts) || response.message !== undefined;
          if (!isWhole && taskId !== null) {
            const fetched = await fetch(taskId);
            if (stop.aborted) return;
            if (fetched.ok) yield { type: "update", response: { task: fetched.value } };
            if (fetched.ok && !isAtRest(fetched.value.status.state)) {
              yield { type: "silent" };
              return;
            }
          }
          yield { type: "at_rest" };
          return;
        }
      }
    } finally {
      connection.abort();
    }
    // Refused before there was a task, or in place of a task's next step: nothing is known to work.
    if (failure && (taskId === null || (isFresh && !failure.mayHaveArrived))) {
      yield failed(failure);
      return;
    }
    if (taskId === null) {
      yield failed(ENDED);
      return;
    }
    if (isFresh && !client.canStream) {
      yield { type: "silent" };
      return;
    }
    const fetched = await fetch(taskId);
    if (stop.aborted) return;
    if (fetched.ok) {
      yield { type: "update", response: { task: fetched.value } };
      if (isAtRest(fetched.value.status.state)) {
        yield { type: "at_rest" };
        return;
      }
    } else if (isFinal(fetched.failure)) {
      yield failed(fetched.failure);
      return;
    }
    if (connections >= MAX_REMOTE_RESUBSCRIPTIONS || !client.canStream) {
      yield { type: "silent" };
      return;
    }
    await pause(REMOTE_RESUBSCRIBE_DELAY_MS * (connections + 1), stop);
    if (stop.aborted) return;

    function sendOnce(): AsyncIterable<RemoteResult<A2aStreamResponse>> | null {
      if (start.type !== "message") return null;
      const modes = acceptedOutputModes && { acceptedOutputModes };
      // An answer is waited for: what the task says at once may be what it said before.
      return client.send(start.message, { signal, returnImmediately: !isAnswer, ...modes });
    }
  }

  function fetch(id: string): Promise<RemoteResult<A2aTask>> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(REMOTE_REQUEST_MS)]);
    return client.getTask(id, { signal });
  }

  /** A sentence where the frame is of another task or context than the one that is followed. */
  function findLie(response: A2aStreamResponse): string | null {
    const { task, statusUpdate, artifactUpdate, message } = response;
    const about = statusUpdate ?? artifactUpdate ?? message;
    const id = task?.id ?? about?.taskId ?? null;
    const context = (task ?? about)?.contextId ?? "";
    if (id !== null && taskId !== null && id !== taskId) return "The agent spoke of another task.";
    if (context !== "" && contextId !== null && context !== contextId) {
      return "The agent spoke of another context.";
    }
    if (id !== null) taskId = id;
    if (context !== "") contextId = context;
    return null;
  }
}

/** Whether asking again gives no other answer. */
export function isFinal({ kind, code, http_status }: RemoteFailure): boolean {
  if (kind === "setup" || kind === "egress_refused" || kind === "not_found") return true;
  if (kind === "malformed_answer" || kind === "too_large") return true;
  return http_status === 401 || http_status === 403 || code === -32_601;
}

function isContent({ task, artifactUpdate, statusUpdate }: A2aStreamResponse): boolean {
  if (artifactUpdate) return true;
  if (task) return (task.artifacts?.length ?? 0) > 0;
  const parts = statusUpdate && isAtRest(statusUpdate.status.state) && statusUpdate.status.message;
  return parts ? parts.parts.length > 0 : false;
}

function isOver(state: A2aTaskState | null): boolean {
  return state !== null && isTerminal(state);
}

const SILENT: RemoteFailure = {
  kind: "timeout",
  reason: "The agent did not answer in time.",
  mayHaveArrived: true,
};
const ENDED: RemoteFailure = {
  kind: "empty_answer",
  reason: "The agent ended its answer without a task or a message.",
  mayHaveArrived: true,
};

function failed(failure: RemoteFailure): RemoteStep {
  return { type: "failed", failure };
}

/** Null when the time has passed first, or the stop came. */
async function within<Value>(
  promise: Promise<Value>,
  waitMs: number,
  stop: AbortSignal,
): Promise<Value | null> {
  const timer = new AbortController();
  const signal = AbortSignal.any([stop, timer.signal]);
  const late = pause(waitMs, signal).then(() => null);
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}

// Follows a reply until it has ended or waits. Two ways at once: the object is asked for the reply's state, which decides
// what the call returns, and its event stream is read, which gives progress and ends with the credential.
import type { Reply } from "../../protocol/replies/contract.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import {
  MCP_CALLED_LOOK_MS,
  MCP_REPLY_WAIT_MS,
  MCP_STREAM_RETRY_MS,
} from "../../protocol/agent-mcp/limits.ts";
import { waitingCalls } from "../../protocol/agent-mcp/waiting-calls.ts";
import { toProgress, type Progress } from "../../protocol/agent-mcp/progress-text.ts";
import { createSseDecoder } from "../../protocol/sse.ts";
import type { AppContext } from "../app-env.ts";
import { readerOf, tenantOf } from "../principal.ts";
import { fetchEventStream } from "../sessions/event-stream.ts";
import { sessionStub } from "../objects/session-stub.ts";
import type { FollowedReply, ServedCall } from "./served-call.ts";

interface Following {
  /** Called in order, one at a time. */
  readonly onProgress: (progress: readonly Progress[]) => Promise<void>;
  /** The client has left, or the time is over: the reply continues, and following it ends. */
  readonly signal: AbortSignal;
}

/**
 * The reply when it has ended or waits for an answer; in the state `running` when the signal comes first. A refusal
 * when the session was deleted, or the credential is not valid any more.
 */
export async function followReply(
  call: Pick<ServedCall, "context" | "followerId">,
  reply: FollowedReply,
  { onProgress, signal }: Following,
): Promise<Result<Reply>> {
  const { context } = call;
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  /** The seq with which the reader has seen everything; unknown while the reply runs. */
  const end = { seq: Infinity };
  const reading = readProgress(context, reply, { onProgress, signal: stopped }, end);
  const cut = Promise.withResolvers<Result<Reply>>();
  // A reader that ends by itself has read everything, or was refused.
  void reading.then(
    (refused) => (refused ? cut.resolve(refused) : undefined),
    () => undefined,
  );
  try {
    const found = await Promise.race([awaitReply(call, reply, signal), cut.promise]);
    if (found.ok && !isAtWork(found.value)) {
      end.seq = found.value.cursor;
      // Events that are on the way are delivered before the result; a stream that hangs is not waited for.
      await Promise.race([reading.catch(() => null), pause(MCP_STREAM_RETRY_MS, signal)]);
    }
    return found;
  } finally {
    stop.abort();
  }
}

/** The state as soon as it is not `running`, or when the signal comes. @throws after many failures in a row. */
export async function awaitReply(
  { context, followerId }: Pick<ServedCall, "context" | "followerId">,
  { session_id, reply_id, owns }: FollowedReply,
  signal: AbortSignal,
): Promise<Result<Reply>> {
  const question = { reply_id, call: { id: followerId, owns } };
  let wait_ms = MCP_REPLY_WAIT_MS;
  for (let failures = 0; ;) {
    try {
      // Another one each time: a stub of a lost machine stays broken.
      const stub = sessionStub(context.env, tenantOf(context), session_id);
      if (signal.aborted) return await stub.act("readReply", { reply_id, wait_ms: 0 });
      const asked = stub.act("readReply", { ...question, wait_ms });
      const reply = await untilAborted(asked, signal);
      if (reply && (!reply.ok || !isAtWork(reply.value))) return reply;
      // A question of an agent that the reply has called ends no such wait.
      if (reply?.ok && reply.value.subagents?.length) wait_ms = MCP_CALLED_LOOK_MS;
      failures = 0;
    } catch (error) {
      // The object's machine was lost: the next call finds another one, which recovers the reply.
      failures += 1;
      if (failures > MAX_FAILURES) throw error;
      await pause(MCP_STREAM_RETRY_MS * failures, signal);
    }
  }
}

/** Whether nobody is waited for. */
function isAtWork(reply: Reply): boolean {
  return reply.status === "running" && waitingCalls(reply).length === 0;
}

/** Failures in a row after which the reply is not asked for any more: half a minute. */
const MAX_FAILURES = 7;

/** @returns null at the end, or the refusal of a credential that is not valid any more. */
async function readProgress(
  context: AppContext,
  { session_id, reply_id, after }: FollowedReply,
  { onProgress, signal }: Following,
  end: { readonly seq: number },
): Promise<Result<never> | null> {
  let seq = after;
  while (!signal.aborted && seq < end.seq) {
    const stub = sessionStub(context.env, tenantOf(context), session_id);
    const range = { after: seq, format: "agentscope", reply_id, ...readerOf(context) } as const;
    try {
      const stream = await fetchEventStream(stub, range);
      if (!stream.ok && stream.refusal.code === "unauthenticated") {
        return refuse("unauthenticated", "the credential is not valid any more");
      }
      // Without a stream, as with too many readers, the result comes all the same.
      if (!stream.ok || stream.value.status === 204) return null;
      for await (const events of readEvents(stream.value, signal)) {
        await onProgress(toProgress(events));
        seq = Math.max(seq, ...events.map((event) => event.seq));
        if (seq >= end.seq) return null;
      }
    } catch (error) {
      if (signal.aborted) return null;
      console.warn("MCP: a reply's events broke off", { error: String(error) });
    }
    await pause(MCP_STREAM_RETRY_MS, signal);
  }
  return null;
}

/** The events of each chunk together. Ends with the stream, or with the signal. */
async function* readEvents(
  { body }: Response,
  signal: AbortSignal,
): AsyncGenerator<readonly LoggedEvent[], void> {
  if (!body) return;
  const reader = body.getReader();
  const text = new TextDecoder();
  const decoder = createSseDecoder();
  try {
    for (;;) {
      const read = await untilAborted(reader.read(), signal);
      if (!read || read.done) return;
      const frames = decoder.push(text.decode(read.value, { stream: true }));
      if (frames.length > 0) yield frames.map(({ data }) => JSON.parse(data) as LoggedEvent);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Undefined when the signal comes first. */
async function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  if (signal.aborted) return undefined;
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const onAbort = () => resolve(undefined);
  signal.addEventListener("abort", onAbort);
  // A promise that is not waited for any more may fail unseen.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function pause(waitMs: number, signal: AbortSignal): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), waitMs);
  const onAbort = () => resolve(null);
  signal.addEventListener("abort", onAbort);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  });
}

// Streams of tasks: the object's frames, as they are or in those of JSON-RPC.
import type { A2aTask } from "../../protocol/a2a/wire.ts";
import { isTerminalTask } from "../../protocol/dialects/a2a/task-status.ts";
import { encodeMessage } from "../../protocol/sse.ts";
import { unwrap } from "../http-error.ts";
import { readerOf } from "../principal.ts";
import { lastEventId } from "../requests/last-event-id.ts";
import {
  EVENT_STREAM_HEADERS,
  fetchEventStream,
  type StreamQuery,
} from "../sessions/event-stream.ts";
import { taskNotFound, unsupported } from "./a2a-error.ts";
import type { A2aCall } from "./a2a-call.ts";
import { bodyOf } from "./bindings.ts";
import { stubOf, type TaskPlace } from "./find-task.ts";
import { toRpcFrames } from "./frame-stream.ts";
import { readTask } from "./read-tasks.ts";

/** Frames behind a position, of a task that goes on. @param historyLength All of its messages when left out. */
export async function streamTask(
  call: A2aCall,
  { session_id, reply_id }: TaskPlace,
  after: StreamQuery["after"],
  historyLength?: number,
): Promise<Response> {
  const found = await fetchEventStream(stubOf(call, session_id), {
    after,
    format: "a2a",
    reply_id,
    ...(historyLength !== undefined && { history_length: historyLength }),
    ...readerOf(call.context),
  });
  if (!found.ok && found.refusal.code === "not_found") throw taskNotFound();
  const stream = unwrap(found);
  if (call.context.req.method === "HEAD") {
    // Cancels the body, which would stay open unread otherwise.
    await stream.body?.cancel();
    return new Response(null, { headers: EVENT_STREAM_HEADERS });
  }
  // Nothing is left to tell: the reader's cursor is that of the last frame.
  const body = stream.body ?? new Response("").body;
  const { binding } = call;
  const frames = body && binding.kind === "rpc" ? toRpcFrames(body, binding.id) : body;
  return new Response(frames, { headers: EVENT_STREAM_HEADERS });
}

/** A stream of the task as it is, and nothing else. */
export function showTask({ binding }: A2aCall, task: A2aTask): Response {
  const frame = encodeMessage(null, JSON.stringify(bodyOf(binding, { task })));
  return new Response(frame, { headers: EVENT_STREAM_HEADERS });
}

/**
 * `SubscribeToTask`. With `Last-Event-ID` what followed that frame, also of a task that is over.
 * @throws A2aError unsupported_operation for one that is over, without a cursor.
 */
export async function subscribe(call: A2aCall, place: TaskPlace): Promise<Response> {
  const cursor = lastEventId(call.context, "a2a");
  if (cursor) return streamTask(call, place, cursor);
  const { status } = await readTask(call, place, { history_length: 0, include_artifacts: false });
  if (isTerminalTask(status.state)) {
    throw unsupported("the task is over; get it, or give back the id of the last frame");
  }
  return streamTask(call, place, null);
}

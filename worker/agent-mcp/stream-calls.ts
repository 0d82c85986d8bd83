// The answer to calls as a stream: progress while their replies run, then each result. A reply does not end with the
// stream of its call, but soon after it in 2026-07-28, see `left-calls.ts`.
import {
  MCP_KEEP_ALIVE_MS,
  MCP_LEAVE_CHECK_MS,
  MCP_STREAM_MS,
} from "../../protocol/agent-mcp/limits.ts";
import { rpcError, rpcResult, type RpcAnswer } from "../../protocol/agent-mcp/json-rpc.ts";
import type { Progress } from "../../protocol/agent-mcp/progress-text.ts";
import { failedCall } from "../../protocol/agent-mcp/to-call-result.ts";
import { hasPrimingEvents } from "../../protocol/agent-mcp/versions.ts";
import { encodeComment } from "../../protocol/sse.ts";
import { refusalOfFailure } from "../handle-error.ts";
import { inBackground } from "../in-background.ts";
import type { Principal } from "../principal.ts";
import { EVENT_STREAM_HEADERS } from "../sessions/event-stream.ts";
import { describeRefusal } from "./describe-refusal.ts";
import { envelope } from "./envelope.ts";
import { formatEventId } from "./event-ids.ts";
import { finishCall } from "./finish-call.ts";
import { followReply } from "./follow-reply.ts";
import { leaveReply } from "./left-calls.ts";
import type { FollowedReply, ServedCall } from "./served-call.ts";

export interface RunningCall {
  readonly call: ServedCall;
  readonly reply: FollowedReply;
}

/**
 * @param answers What is known already, sent first.
 * @param isResumable Whether frames get ids: not when several calls share the stream, since an id names one.
 */
export function streamCalls(
  running: readonly RunningCall[],
  answers: readonly RpcAnswer[],
  isResumable: boolean,
): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const left = new AbortController();
  const encoder = new TextEncoder();
  // A rejected write says that the client has left, and the writer is closed by it.
  writer.closed.catch(() => left.abort());
  const write = (text: string) => writer.write(encoder.encode(text)).catch(() => left.abort());
  const isLeaveACancellation = running.some(({ call }) => call.era.era === "self_described");
  const beatMs = isLeaveACancellation ? MCP_LEAVE_CHECK_MS : MCP_KEEP_ALIVE_MS;
  const beat = setInterval(() => void write(encodeComment("keep-alive")), beatMs);
  inBackground("MCP: a stream", send());
  return new Response(readable, {
    headers: { ...EVENT_STREAM_HEADERS, "Cache-Control": "no-store" },
  });

  async function send(): Promise<void> {
    try {
      for (const answer of answers) void write(encodeMessage(answer));
      await Promise.all(
        running.map((one) => followCall(one, { write, left: left.signal, isResumable })),
      );
    } finally {
      clearInterval(beat);
      await writer.close().catch(() => undefined);
    }
  }
}

interface Sending {
  readonly write: (text: string) => Promise<void>;
  readonly left: AbortSignal;
  readonly isResumable: boolean;
}

/** Contract: never rejects. */
async function followCall(
  { call, reply }: RunningCall,
  { write, left, isResumable }: Sending,
): Promise<void> {
  const { context, era, id, progressToken } = call;
  const place = { session_id: reply.session_id, reply_id: reply.reply_id, id, progressToken };
  const idAt = (seq: number) => (isResumable ? formatEventId({ ...place, seq }) : undefined);
  if (isResumable && era.era === "handshake" && hasPrimingEvents(era.version)) {
    await write(`id: ${idAt(reply.after)}\ndata: \n\n`);
  }
  const late = AbortSignal.timeout(streamMs(context.get("principal")));
  const onProgress = async (progress: readonly Progress[]) => {
    if (progressToken === undefined) return;
    for (const { seq, text } of progress) {
      const params = { progressToken, progress: seq, message: text };
      const notification = { jsonrpc: "2.0", method: "notifications/progress", params };
      await write(encodeMessage(notification, idAt(seq)));
    }
  };
  try {
    const signal = AbortSignal.any([left, late]);
    const found = await followReply(call, reply, { onProgress, signal });
    if (left.aborted) return;
    const result = found.ok
      ? await finishCall(call, found.value, reply.asked)
      : failedCall(describeRefusal(found.refusal));
    await write(encodeMessage(rpcResult(id, envelope(era, result))));
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    const { code, detail } = refusalOfFailure(failure, context);
    await write(encodeMessage(rpcError(id, "internal_error", `${code}: ${detail}`)));
  } finally {
    // Also before a result that says that the reply waits: the client has not heard of it.
    if (left.aborted) await leaveReply(call, reply);
  }
}

/** The stream ends with the end user's token; then the call's result says that the reply still runs. */
function streamMs(principal: Principal): number {
  if (principal.kind !== "end_user") return MCP_STREAM_MS;
  const leftMs = Date.parse(principal.expiresAt) - Date.now();
  return Math.max(0, Math.min(MCP_STREAM_MS, leftMs));
}

function encodeMessage(message: object, eventId?: string): string {
  const id = eventId === undefined ? "" : `id: ${eventId}\n`;
  return `${id}event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

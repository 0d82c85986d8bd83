// An agent as an MCP server, over streamable HTTP: one POST, one or (in 2025-03-26) several messages. Stateless: what a
// conversation is, its session has; what a client was asked, its request state says.
import * as z from "zod";

import {
  MAX_MCP_BATCH,
  MAX_MCP_BATCH_CALLS,
  MCP_JSON_WAIT_MS,
  MCP_TOOLS_TTL_MS,
} from "../../protocol/agent-mcp/limits.ts";
import { describeTools } from "../../protocol/agent-mcp/agent-tools.ts";
import { classifyMessage, type MessageEra } from "../../protocol/agent-mcp/classify-message.ts";
import {
  isId,
  readMessage,
  rpcError,
  rpcResult,
  type RpcAnswer,
  type RpcId,
  type RpcNotification,
  type RpcRequest,
} from "../../protocol/agent-mcp/json-rpc.ts";
import { SERVER_INFO } from "../../protocol/agent-mcp/server-info.ts";
import { failedCall } from "../../protocol/agent-mcp/to-call-result.ts";
import {
  hasBatches,
  negotiate,
  SELF_DESCRIBED_VERSIONS,
} from "../../protocol/agent-mcp/versions.ts";
import type { AppContext } from "../app-env.ts";
import { parseBody, readText } from "../requests/read-body.ts";
import { acceptsEventStream } from "../sessions/event-stream.ts";
import { pathId } from "../middleware/check-path.ts";
import { countMessages } from "../requests/rate-limit.ts";
import { beginCall, readCall } from "./call-tool.ts";
import { cancelCalls } from "./cancelled-calls.ts";
import { newConnectionId } from "./connection-id.ts";
import { describeRefusal } from "./describe-refusal.ts";
import { envelope } from "./envelope.ts";
import { finishCall } from "./finish-call.ts";
import { awaitReply } from "./follow-reply.ts";
import type { ServedAgent } from "./served-call.ts";
import { streamCalls, type RunningCall } from "./stream-calls.ts";

/** The outcome of one message. */
type Outcome =
  | { readonly kind: "answer"; readonly answer: RpcAnswer; readonly status: number }
  | { readonly kind: "running"; readonly running: RunningCall }
  | { readonly kind: "cancellation"; readonly id: RpcId }
  /** Another notification, or an answer to nothing. */
  | { readonly kind: "nothing" };

/** Reads the agent of the path, for messages that need it. @throws HttpError 404 when there is none. */
type FindAgent = () => Promise<ServedAgent>;

/** @throws HttpError for a body that is too large, of another type, or not JSON. */
export async function readMcpBody(context: AppContext): Promise<unknown> {
  const body = parseBody(await readText(context), z.unknown());
  context.set("bodyText", undefined);
  return body;
}

/** @param body Any JSON. @throws HttpError for a header that is no idempotency key. */
export async function serveMcp(
  context: AppContext,
  findAgent: FindAgent,
  body: unknown,
): Promise<Response> {
  if (Array.isArray(body)) return serveBatch(context, findAgent, body);
  const outcome = await serveMessage(context, findAgent, body, false);
  await cancelNamed(context, [outcome]);
  if (outcome.kind === "nothing" || outcome.kind === "cancellation") return context.body(null, 202);
  if (outcome.kind === "running") return answerRunning(context, [outcome.running], []);
  const isInitialize = typeof body === "object" && body !== null && "method" in body;
  const headers: Record<string, string> = {};
  if (isInitialize && body.method === "initialize" && "result" in outcome.answer) {
    // Names the connection, so that a cancellation finds its call.
    headers["Mcp-Session-Id"] = await newConnectionId(context, pathId(context, "agent_id"));
  }
  return Response.json(outcome.answer, { status: outcome.status, headers });
}

/** The calls that messages have cancelled, in one look for all of them. */
function cancelNamed(context: AppContext, outcomes: readonly Outcome[]): Promise<void> {
  const ids = outcomes.flatMap((one) => (one.kind === "cancellation" ? [one.id] : []));
  return cancelCalls(context, pathId(context, "agent_id"), ids);
}

/** Only in 2025-03-26. Invalid messages among others are answered one by one; all answers are one list, or one stream. */
async function serveBatch(
  context: AppContext,
  findAgent: FindAgent,
  batch: readonly unknown[],
): Promise<Response> {
  const calls = batch.filter(
    (message) =>
      typeof message === "object" &&
      message !== null &&
      "method" in message &&
      message.method === "tools/call",
  );
  if (batch.length === 0 || batch.length > MAX_MCP_BATCH || calls.length > MAX_MCP_BATCH_CALLS) {
    const detail = `a batch has 1 to ${MAX_MCP_BATCH} messages, of which ${MAX_MCP_BATCH_CALLS} call tools`;
    return Response.json(rpcError(null, "invalid_request", detail), { status: 400 });
  }
  // The request itself has been counted as one of them.
  await countMessages(context, batch.length - 1);
  const once = { found: undefined as Promise<ServedAgent> | undefined };
  const findOnce = () => (once.found ??= findAgent());
  const outcomes = await Promise.all(
    batch.map((message) => serveMessage(context, findOnce, message, true)),
  );
  await cancelNamed(context, outcomes);
  const answers = outcomes.flatMap((one) => (one.kind === "answer" ? [one.answer] : []));
  const running = outcomes.flatMap((one) => (one.kind === "running" ? [one.running] : []));
  if (running.length > 0) return answerRunning(context, running, answers);
  if (answers.length === 0) return context.body(null, 202);
  // A version without batches refuses each message, and so the whole.
  const isRefused = outcomes.every((one) => one.kind !== "answer" || one.status === 400);
  return Response.json(answers, { status: isRefused ? 400 : 200 });
}

async function serveMessage(
  context: AppContext,
  findAgent: FindAgent,
  body: unknown,
  isBatch: boolean,
): Promise<Outcome> {
  const message = readMessage(body);
  if (message.kind === "response") return { kind: "nothing" };
  if (message.kind === "invalid") {
    return answered(rpcError(message.id, "invalid_request", message.problem), 400);
  }
  const classified = classifyMessage(message, {
    version: context.req.header("MCP-Protocol-Version"),
    method: context.req.header("Mcp-Method"),
    name: context.req.header("Mcp-Name"),
  });
  if (!classified.ok) return answered(classified.answer, 400);
  const { era } = classified;
  if (isBatch && (era.era === "self_described" || !hasBatches(era.version))) {
    const id = message.kind === "request" ? message.id : null;
    return answered(rpcError(id, "invalid_request", "this version has no batches"), 400);
  }
  if (message.kind === "notification") return notify(era, message);
  const agent = await findAgent();
  return message.method === "tools/call"
    ? callTool(context, agent, era, message)
    : answerMethod(agent, era, message);
}

function answerMethod(
  agent: ServedAgent,
  era: MessageEra,
  { id, method, params }: RpcRequest,
): Outcome {
  const result = resultOf(agent, era, method, params);
  if (result !== null) return answered(rpcResult(id, envelope(era, result)));
  const error = rpcError(id, "method_not_found", "the server has no such method");
  return answered(error, era.era === "self_described" ? 404 : 200);
}

/** Null for a method that this era does not have here. */
function resultOf(
  agent: ServedAgent,
  { era }: MessageEra,
  method: string,
  params: Readonly<Record<string, unknown>>,
): object | null {
  const isNew = era === "self_described";
  const cached = { ttlMs: MCP_TOOLS_TTL_MS, cacheScope: "private" };
  const about = { capabilities: { tools: {} }, instructions: instructionsOf(agent) };
  if (method === "tools/list") {
    return { tools: describeTools(agent.name), ...(isNew && cached) };
  }
  if (isNew) {
    const supportedVersions = [...SELF_DESCRIBED_VERSIONS];
    return method === "server/discover" ? { supportedVersions, ...about, ...cached } : null;
  }
  if (method === "ping") return {};
  if (method !== "initialize") return null;
  const protocolVersion = negotiate(params["protocolVersion"]);
  return { protocolVersion, serverInfo: SERVER_INFO, ...about };
}

function instructionsOf({ name }: ServedAgent): string {
  return `Asks the agent ${name}. A result's session_id continues its conversation.`;
}

async function callTool(
  context: AppContext,
  agent: ServedAgent,
  era: MessageEra,
  message: RpcRequest,
): Promise<Outcome> {
  const read = readCall(context, agent, era, message);
  if (!read.ok) return answered(rpcError(message.id, "invalid_params", read.problem));
  const { call } = read;
  const begun = await beginCall(call, message.params);
  switch (begun.kind) {
    case "invalid":
      return answered(rpcError(call.id, "invalid_params", begun.message));
    case "done":
      return answered(rpcResult(call.id, envelope(era, begun.result)));
    case "follow":
      return { kind: "running", running: { call, reply: begun.reply } };
    default:
      return begun satisfies never;
  }
}

/** Streams, or waits a while for a client that takes no streams. */
async function answerRunning(
  context: AppContext,
  running: readonly RunningCall[],
  answers: readonly RpcAnswer[],
): Promise<Response> {
  if (acceptsEventStream(context.req.header("Accept"))) {
    return streamCalls(running, answers, running.length === 1 && answers.length === 0);
  }
  const signal = AbortSignal.timeout(MCP_JSON_WAIT_MS);
  const results = await Promise.all(
    running.map(async ({ call, reply }) => {
      const found = await awaitReply(call, reply, signal);
      const result = found.ok
        ? await finishCall(call, found.value, reply.asked)
        : failedCall(describeRefusal(found.refusal));
      return rpcResult(call.id, envelope(call.era, result));
    }),
  );
  const [only] = results;
  return Response.json(
    results.length === 1 && answers.length === 0 ? only : [...answers, ...results],
  );
}

/** Effects of notifications: only a cancellation has one, and only in the older era. */
function notify({ era }: MessageEra, { method, params }: RpcNotification): Outcome {
  const { requestId } = params;
  const isCancellation = era === "handshake" && method === "notifications/cancelled";
  return isCancellation && isId(requestId)
    ? { kind: "cancellation", id: requestId }
    : { kind: "nothing" };
}

function answered(answer: RpcAnswer, status = 200): Outcome {
  return { kind: "answer", answer, status };
}

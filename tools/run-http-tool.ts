// The `http` tool: a call is one POST to the tenant's own server.
import type { ToolReporter } from "../agent/failure-report.ts";
import type { StopSignal, ToolCallRequest, ToolChunk } from "../agent/ports.ts";
import type { HttpTool } from "../protocol/tools/http-tool.ts";
import { SecretFilter } from "../outgoing/secret-filter.ts";
import { failure, textChunks } from "./answer-shape.ts";
import {
  failureKindOfError,
  failureKindOfStatus,
  mayHaveArrived,
} from "../outgoing/failure-kind.ts";
import { BodyTooBig } from "../outgoing/body.ts";
import { readAnswer } from "./read-answer.ts";
import type { BackgroundCall } from "./background/background-calls.ts";
import { prepareRequest } from "./prepare-request.ts";
import { OutgoingRefused, type OutgoingFetch } from "../outgoing/outgoing.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";
import { NoRoom } from "../outgoing/with-room.ts";

export interface HttpCall {
  readonly tool: HttpTool;
  readonly request: ToolCallRequest;
  readonly outgoing: OutgoingFetch;
  /** The agent's secrets, each for the hosts that it may be sent to. */
  readonly secrets: SecretSource;
  readonly stop: StopSignal;
  /** Told the status and, for a failure, its kind. */
  readonly report?: ToolReporter;
  /** The call may be let go: its request names its task, and the address to which the result may be posted. */
  readonly task?: Pick<BackgroundCall, "task_id" | "callback_url">;
  /** Called for an answer 202 of a call with an address: there are no chunks then. */
  readonly accepted?: () => void;
}

type EndChunk = Extract<ToolChunk, { type: "end" }>;

/** The header of an answer by which the tool ends its reply. */
const STOP_HEADER = "reprise-stop";

/**
 * Contract: never throws. A failure is the text of a result with state `error`, which contains no exception and no
 * header. After `stop` it ends without a chunk for it.
 */
export async function* runHttpTool(call: HttpCall): AsyncGenerator<ToolChunk, void> {
  const { tool, stop, report } = call;
  const prepared = await prepareRequest(tool, { ...call, nowMs: Date.now() });
  if (stop.aborted) return;
  if (!prepared.ok) {
    report?.({ failure: { kind: "setup", message: prepared.reason } });
    yield* failure(prepared.reason);
    return;
  }
  const controller = new AbortController();
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    controller.abort();
  }, tool.timeout_ms);
  stop.addEventListener("abort", release, { once: true });

  let isAnswered = false;
  let isTextBefore = false;
  let end: EndChunk | null = null;
  const filter = new SecretFilter(prepared.secrets);
  try {
    const response = await send({ ...prepared.init, signal: controller.signal });
    isAnswered = true;
    const { status } = response;
    report?.({ http_status: status });
    if (status === 202 && call.task?.callback_url && call.accepted) {
      call.accepted();
      await response.body?.cancel();
      return;
    }
    if (!response.ok) {
      report?.({ failure: { kind: failureKindOfStatus(status), http_status: status } });
    }
    for await (const chunk of readAnswer(response, { maxBytes: tool.max_bytes, filter })) {
      if (stop.aborted) return;
      if (chunk.type === "text") {
        isTextBefore = true;
        const delta = filter.read(chunk.delta);
        if (delta !== "") yield { ...chunk, delta };
        continue;
      }
      yield* textChunks(filter.release());
      if (chunk.type === "end") end = withoutSecrets(chunk, filter);
      else if (chunk.type === "told") yield { ...chunk, events: filter.value(chunk.events) };
      else yield chunk;
    }
    yield* textChunks(filter.release());
    if (asksToStop(response)) end = { ...(end ?? { type: "end", state: "success" }), stops: true };
  } catch (error) {
    if (stop.aborted) return;
    yield* textChunks(filter.release());
    const kind = isTimedOut ? "timeout" : failureKindOfError(error, isAnswered);
    report?.({ failure: { kind } });
    const reason = isTimedOut
      ? `The tool did not answer within ${tool.timeout_ms} ms.`
      : describe(error, { isAnswered, maxBytes: tool.max_bytes });
    for (const chunk of failure(isTextBefore ? `\n${reason}` : reason)) {
      if (chunk.type === "end") end = chunk;
      else yield chunk;
    }
  } finally {
    // Before the last chunk, since the consumer may not request another one.
    release();
  }
  if (end && !stop.aborted) yield end;

  /** Once more under the same key where the tool's definition allows that, and nothing was answered. */
  async function send(init: RequestInit): Promise<Response> {
    try {
      return await call.outgoing(tool.url, init);
    } catch (error) {
      if (!tool.idempotent || controller.signal.aborted || !mayHaveArrived(error)) throw error;
      return await call.outgoing(tool.url, init);
    }
  }

  function release(): void {
    clearTimeout(timer);
    stop.removeEventListener("abort", release);
    controller.abort();
  }
}

/** A status of failure may be of something else than the tool, such as a proxy before it. */
function asksToStop({ ok, headers }: Response): boolean {
  return ok && headers.get(STOP_HEADER)?.trim().toLowerCase() === "true";
}

/** A stream is not known to have failed before its end, so that of all answers the same is left out. */
function withoutSecrets(end: EndChunk, filter: SecretFilter): EndChunk {
  return end.metadata ? { ...end, metadata: filter.value(end.metadata) } : end;
}

function describe(
  error: unknown,
  circumstances: { isAnswered: boolean; maxBytes: number },
): string {
  if (OutgoingRefused.isInstance(error)) return `The tool's address was refused: ${error.message}.`;
  if (error instanceof BodyTooBig) {
    return `The tool's answer is larger than ${circumstances.maxBytes} bytes.`;
  }
  if (NoRoom.isInstance(error)) {
    return `The tool has answered, and the answer was not read: ${error.message}.`;
  }
  if (circumstances.isAnswered)
    return "The connection to the tool was lost before its answer ended.";
  return mayHaveArrived(error)
    ? "The tool could not be reached, or closed the connection before any answer. It is not known whether it ran."
    : "The tool could not be reached.";
}

// A model call and a tool call while they are open, and what is stored of them.
import type { FailureReport } from "../../agent/failure-report.ts";
import type { Model, ModelRequest } from "../../agent/ports.ts";
import { isInputRead, USAGE_ESTIMATED } from "../../agent/model-turn/estimate-usage.ts";
import type { CallWait } from "../../protocol/diagnostics/contract.ts";
import type { EventOf } from "../../protocol/events.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import type {
  StoredFailedTry,
  StoredModelCall,
  StoredToolCall,
} from "../tables/diagnostics-table.ts";

export interface OpenModelCall {
  readonly name: string;
  readonly startedAt: string;
  origin: DiagnosedOrigin;
  /** Of the model that was tried last. */
  costOf: Model["costOf"];
  /** Of the last try; null when this machine has made none. */
  request: ModelRequest | null;
  tryStartedMs: number;
  firstOutputMs: number | null;
  hasOutput: boolean;
  tries: number;
  failedTries: StoredFailedTry[];
  /** Of the last try, when it has failed. */
  failure: FailureReport | null;
  finishReason: string | null;
}

type DiagnosedOrigin = Pick<StoredModelCall, "provider" | "host" | "credential_id">;

export interface OpenToolCall {
  name: string;
  startedAt: string | null;
  /** This machine has made the call. */
  isTried: boolean;
  httpStatus: number | null;
  failure: FailureReport | null;
  waits: CallWait[];
}

export const NO_ORIGIN: DiagnosedOrigin = { provider: null, host: null, credential_id: null };

export function openModelCall({
  model_name,
  created_at,
}: EventOf<"MODEL_CALL_START">): OpenModelCall {
  return {
    name: model_name,
    startedAt: created_at,
    origin: NO_ORIGIN,
    costOf: undefined,
    request: null,
    tryStartedMs: 0,
    firstOutputMs: null,
    hasOutput: false,
    tries: 0,
    failedTries: [],
    failure: null,
    finishReason: null,
  };
}

export function endModel(call: OpenModelCall, event: EventOf<"MODEL_CALL_END">): StoredModelCall {
  const { input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens } = event;
  const usage = { input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens };
  const usage_estimated = event.metadata[USAGE_ESTIMATED] === true;
  return {
    ...viewModel(call),
    outcome: outcomeOf(call, event),
    duration_ms: sinceMs(call.startedAt, Date.parse(event.created_at)),
    usage,
    usage_estimated,
    cost_usd: usage_estimated ? null : costOf(call, usage, event.finished_reason === "completed"),
  };
}

/** A call that no model has read costs nothing. What an earlier try cost is not known, since its usage was not reported. */
function costOf(
  { costOf: price, failedTries, origin }: OpenModelCall,
  usage: Usage,
  isAnswered: boolean,
): number | null {
  if (failedTries.some(({ kind }) => isInputRead(kind))) return null;
  // Of an agent of another system nothing is known but what it tells.
  if (origin.provider === "a2a") return isAnswered ? (price?.(usage) ?? null) : null;
  if (!isAnswered && Object.values(usage).every((tokens) => tokens === 0)) return 0;
  return price?.(usage) ?? null;
}

function outcomeOf(
  { request, failure }: OpenModelCall,
  { finished_reason }: EventOf<"MODEL_CALL_END">,
): StoredModelCall["outcome"] {
  if (finished_reason === "completed") return "completed";
  if (!request) return "unknown";
  return failure ? "failed" : "interrupted";
}

export function viewModel(call: OpenModelCall): Omit<StoredModelCall, "outcome"> {
  return {
    model: call.name,
    ...call.origin,
    started_at: call.startedAt,
    duration_ms: null,
    first_output_ms: call.firstOutputMs,
    tries: call.tries,
    failed_tries: call.failedTries,
    finish_reason: call.finishReason,
    usage: null,
    usage_estimated: false,
    cost_usd: null,
  };
}

export function viewTool(id: string, call: OpenToolCall): Omit<StoredToolCall, "outcome"> {
  return {
    tool_call_id: id,
    name: call.name,
    started_at: call.startedAt,
    duration_ms: null,
    http_status: call.httpStatus,
    failure: call.failure && viewFailure(call.failure),
    waits: call.waits,
  };
}

export function viewFailure({ kind, http_status, code, message, request_id }: FailureReport) {
  return {
    kind,
    http_status: http_status ?? null,
    code: code ?? null,
    message: message ?? null,
    request_id: request_id ?? null,
  };
}

/** Ends the last wait of a call that waits. */
export function endWait(call: OpenToolCall | undefined, at: string): void {
  const last = call?.waits.at(-1);
  if (!call || !last || last.duration_ms !== null) return;
  call.waits[call.waits.length - 1] = {
    ...last,
    duration_ms: sinceMs(last.started_at, Date.parse(at)),
  };
}

export function sinceMs(startedAt: string, untilMs: number): number {
  return Math.max(untilMs - Date.parse(startedAt), 0);
}

// The model call and the tool calls of the open reply, as diagnostics will show them. In memory: the log's events tell
// when they began and ended, the loop tells the rest. What is only told here is lost with the machine.
import type { DiagnosticFact, Diagnostics } from "../../agent/ports.ts";
import { estimateInputTokens, isInputRead } from "../../agent/model-turn/estimate-usage.ts";
import { MAX_DIAGNOSED_TRIES } from "../../protocol/diagnostics/limits.ts";
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import { compressionUsage } from "../../protocol/fold/append-custom.ts";
import type { DiagnosedCall, SummaryCost } from "../tables/diagnostics-table.ts";
import {
  endModel,
  endWait,
  NO_ORIGIN,
  openModelCall,
  sinceMs,
  viewFailure,
  viewModel,
  viewTool,
  type OpenModelCall,
  type OpenToolCall,
} from "./open-calls.ts";

export class CallRecorder implements Diagnostics {
  #model: OpenModelCall | null = null;
  readonly #tools = new Map<string, OpenToolCall>();
  #ended: DiagnosedCall[] = [];
  /** Of the summary whose event comes next; null where this machine has made none. */
  #summaryCost: Pick<SummaryCost, "cost_usd"> | null = null;
  #summaries: SummaryCost[] = [];

  note(fact: DiagnosticFact): void {
    const nowMs = Date.now();
    switch (fact.type) {
      case "model_try":
        this.#beginTry(fact, nowMs);
        break;
      case "model_output":
        if (this.#model) {
          this.#model.hasOutput = true;
          this.#model.firstOutputMs ??= sinceMs(this.#model.startedAt, nowMs);
        }
        break;
      case "model_finish":
        if (this.#model) this.#model.finishReason = fact.finish_reason;
        break;
      case "model_failed":
        this.#failTry(fact, nowMs);
        break;
      case "summary":
        this.#summaryCost = { cost_usd: fact.cost_usd };
        break;
      case "tool_try":
        this.#tool(fact.tool_call_id).isTried = true;
        break;
      case "tool_status":
        this.#tool(fact.tool_call_id).httpStatus = fact.http_status;
        break;
      case "tool_failed":
        this.#tool(fact.tool_call_id).failure = fact.failure;
        break;
      default:
        fact satisfies never;
    }
  }

  /** Follows the log, also when it is read again after a restart. Called for each event, of which most are deltas. */
  logged(event: LoggedEvent): void {
    switch (event.type) {
      case "MODEL_CALL_START":
        this.#model = openModelCall(event);
        break;
      case "MODEL_CALL_END":
        if (this.#model) this.#ended.push({ kind: "model", call: endModel(this.#model, event) });
        this.#model = null;
        break;
      case "TOOL_RESULT_START":
        Object.assign(this.#tool(event.tool_call_id, event.tool_call_name), {
          startedAt: event.created_at,
        });
        break;
      case "TOOL_RESULT_END":
        this.#endTool(event);
        break;
      case "REQUIRE_USER_CONFIRM":
      case "REQUIRE_EXTERNAL_EXECUTION": {
        const kind = event.type === "REQUIRE_USER_CONFIRM" ? "permission" : "external_result";
        for (const { id, name } of event.tool_calls) {
          this.#tool(id, name).waits.push({
            kind,
            started_at: event.created_at,
            duration_ms: null,
          });
        }
        break;
      }
      case "USER_CONFIRM_RESULT":
        for (const { tool_call } of event.confirm_results) {
          endWait(this.#tools.get(tool_call.id), event.created_at);
        }
        break;
      case "CUSTOM": {
        const usage = this.#summaryCost && compressionUsage(event);
        if (this.#summaryCost && usage) this.#summaries.push({ ...this.#summaryCost, usage });
        if (usage) this.#summaryCost = null;
        break;
      }
      default:
        break;
    }
  }

  /** The cost of summaries that were stored since it was last asked: for the transaction of their events. */
  takeSummaries(): readonly SummaryCost[] {
    if (this.#summaries.length === 0) return NO_SUMMARIES;
    const summaries = this.#summaries;
    this.#summaries = [];
    return summaries;
  }

  /** The calls that have ended since it was last asked: each once, for the transaction of the events. */
  takeEnded(): readonly DiagnosedCall[] {
    if (this.#ended.length === 0) return NONE;
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  /** The calls that are open at this moment. */
  open(): readonly DiagnosedCall[] {
    const calls: DiagnosedCall[] = [];
    const model = this.#model;
    if (model) {
      const outcome = model.request ? "running" : "unknown";
      calls.push({ kind: "model", call: { ...viewModel(model), outcome } });
    }
    for (const [id, tool] of this.#tools) {
      const isWaiting = tool.waits.at(-1)?.duration_ms === null;
      if (!isWaiting && !tool.isTried) continue;
      const outcome = isWaiting ? "waiting" : "running";
      calls.push({ kind: "tool", call: { ...viewTool(id, tool), outcome } });
    }
    return calls;
  }

  /**
   * Tokens of the open model call's request, estimated. Null when no model has read it.
   * @param unknown For a call that another machine has made.
   */
  inputTokens(unknown: () => number): number | null {
    const model = this.#model;
    if (!model) return null;
    if (!model.request) return unknown();
    const isRead = model.hasOutput || !model.failure || isInputRead(model.failure.kind);
    return isRead ? estimateInputTokens(model.request) : null;
  }

  #beginTry({ model, request }: Extract<DiagnosticFact, { type: "model_try" }>, nowMs: number) {
    const call = this.#model;
    if (!call) return;
    call.origin = model.origin ?? NO_ORIGIN;
    call.costOf = model.costOf;
    call.request = request;
    call.tryStartedMs = nowMs;
    call.tries += 1;
    call.failure = null;
  }

  #failTry({ error, failure }: Extract<DiagnosticFact, { type: "model_failed" }>, nowMs: number) {
    const call = this.#model;
    if (!call) return;
    call.failure = failure;
    if (call.failedTries.length >= MAX_DIAGNOSED_TRIES) return;
    call.failedTries.push({
      ...viewFailure(failure),
      error_type: error.type,
      failed_at: new Date(nowMs).toISOString(),
      duration_ms: Math.max(nowMs - call.tryStartedMs, 0),
    });
  }

  #tool(id: string, name?: string): OpenToolCall {
    const known = this.#tools.get(id);
    if (known) {
      if (name !== undefined) known.name = name;
      return known;
    }
    const call: OpenToolCall = {
      name: name ?? "",
      startedAt: null,
      isTried: false,
      httpStatus: null,
      failure: null,
      waits: [],
    };
    this.#tools.set(id, call);
    return call;
  }

  /** A call that neither ran nor waited says why in its result, and has no row: a model may make a hundred at once. */
  #endTool({ tool_call_id, state, metadata, created_at }: EventOf<"TOOL_RESULT_END">): void {
    const call = this.#tools.get(tool_call_id);
    this.#tools.delete(tool_call_id);
    if (!call) return;
    const isLost = metadata["outcome"] === "unknown";
    if (!call.isTried && !isLost && call.waits.length === 0) return;
    endWait(call, created_at);
    if (isLost) call.failure = { kind: "machine_lost" };
    else if (state === "error" && call.isTried) call.failure ??= { kind: "tool_error" };
    this.#ended.push({
      kind: "tool",
      call: {
        ...viewTool(tool_call_id, call),
        outcome: isLost ? "unknown" : state,
        duration_ms:
          call.startedAt === null ? null : sinceMs(call.startedAt, Date.parse(created_at)),
      },
    });
  }
}

const NONE: readonly DiagnosedCall[] = [];
const NO_SUMMARIES: readonly SummaryCost[] = [];

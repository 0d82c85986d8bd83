// Decides the next step of a reply from its state. Starting, continuing after a wait and recovering after a crash all
// use it.
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { FinishedReason } from "../../protocol/messages/messages.ts";
import type { RequiredTool } from "../ability.ts";
import type { ParkedStatus, ToolDeclaration } from "../ports.ts";
import { directResults } from "./direct-answer.ts";
import { isSummarizing } from "../state/round-summary.ts";
import { isHandedOver, isLastTurn, nextOfTurn } from "../state/turn-next.ts";
import { turnBlocks, unfinishedCalls, type ReplyState } from "../state/reply-state.ts";
import { startedCallIds } from "../state/started-call-ids.ts";
import { callsAwaitingTasks } from "../state/task-record.ts";

export type Step =
  /** With `tool_choice` the model has to call that tool. */
  | { readonly type: "call_model"; readonly tool_choice?: string; readonly isSummary?: boolean }
  /** The rounds are used up: the hint of the summary is next, and then its model call. */
  | { readonly type: "begin_summary" }
  /** Runs these calls, in parallel when there are several. */
  | { readonly type: "run_tools"; readonly calls: readonly ToolCallBlock[] }
  /** `running`: its calls wait for tasks of MCP servers, and no person or client has to answer. */
  | { readonly type: "park"; readonly status: ParkedStatus | "running" }
  /** Ends the reply with these results as its answer. */
  | { readonly type: "answer"; readonly results: readonly ToolResultBlock[] }
  | {
      readonly type: "end";
      readonly finished_reason: Extract<FinishedReason, "completed" | "exceed_max_iters">;
    }
  /** `REPLY_END` is in the log already. */
  | { readonly type: "done" };

export interface StepSettings {
  readonly max_iters: number;
  /** `stop` when left out. */
  readonly on_max_iters?: "stop" | "summarize";
  readonly tools: readonly ToolDeclaration[];
  /** Whether the turns are those of a server, until it hands over. */
  readonly isServed?: boolean;
  /** The required tools of the reply's abilities, as its state is now; without any the reply ends with text. */
  readonly requiredTools: readonly RequiredTool[];
}

/** Pure: a function of state and settings. */
export function nextStep(state: ReplyState, settings: StepSettings): Step {
  if (state.message.finished_reason) return { type: "done" };

  const unfinished = unfinishedCalls(state);
  const isSummary = isSummarizing(state);
  // Calls that the model makes in its summary do not run: the end of the reply gives them their results.
  if (isSummary && (unfinished.length > 0 || state.iterations > settings.max_iters)) {
    return { type: "end", finished_reason: "exceed_max_iters" };
  }
  const awaiting = callsAwaitingTasks(state);
  const isAsked = unfinished.some((call) => call.state === "asking" || call.state === "submitted");
  const isAwaiting = isAsked || unfinished.some(({ id }) => awaiting.has(id));
  // While other calls wait for answers, pending ones run only if they had been started before a restart.
  const started = isAwaiting ? startedCallIds(state) : new Set();
  const executable = unfinished.filter(
    (call) =>
      !awaiting.has(call.id) &&
      (call.state === "allowed" ||
        (call.state === "pending" && (!isAwaiting || started.has(call.id)))),
  );
  if (executable.length > 0) {
    return { type: "run_tools", calls: leadingBatch(executable, settings.tools) };
  }
  if (isAwaiting && !isAsked) return { type: "park", status: "running" };
  if (isAwaiting) {
    const isAsking = unfinished.some((call) => call.state === "asking");
    return { type: "park", status: isAsking ? "awaiting_permission" : "awaiting_external_result" };
  }
  const { max_iters, on_max_iters, requiredTools, tools } = settings;
  const missing = requiredTools.find(({ isDone }) => !isDone);
  const isAnswered = requiredTools.length > 0 ? !missing : isLastOf(state, settings);
  if (isAnswered) return { type: "end", finished_reason: "completed" };
  const results = requiredTools.length === 0 ? directResults(state, tools) : null;
  if (results) return { type: "answer", results };
  if (state.stopped_by !== null) return { type: "end", finished_reason: "completed" };
  if (state.iterations < max_iters) return { type: "call_model" };
  if (missing && state.iterations < max_iters + missing.extraRounds) {
    return { type: "call_model", tool_choice: missing.name };
  }
  if (isSummary) return { type: "call_model", isSummary };
  if (on_max_iters === "summarize" && !missing) return { type: "begin_summary" };
  return { type: "end", finished_reason: "exceed_max_iters" };
}

/** A word of a server says what follows its turn, also the one that hands over to the model loop. */
function isLastOf(state: ReplyState, { isServed = false }: StepSettings): boolean {
  if (!isServed) return hasAnswer(state);
  if (!isHandedOver(state)) return isLastTurn(state);
  return nextOfTurn(state) === undefined && hasAnswer(state);
}

/** Whether the turn has given an answer, also one that a hook has taken away. */
function hasAnswer(state: ReplyState): boolean {
  return isFinalText(state) || state.is_answer_gone;
}

/** The longest leading run of calls that may run in parallel; at least one. */
function leadingBatch(
  calls: readonly ToolCallBlock[],
  tools: readonly ToolDeclaration[],
): readonly ToolCallBlock[] {
  const firstUnsafe = calls.findIndex((call) => !isConcurrencySafe(call, tools));
  if (firstUnsafe === -1) return calls;
  return calls.slice(0, Math.max(1, firstUnsafe));
}

/** An unknown tool only gets an error result, which is safe beside other calls. */
export function isConcurrencySafe(call: ToolCallBlock, tools: readonly ToolDeclaration[]): boolean {
  return tools.find((tool) => tool.name === call.name)?.concurrency_safe ?? true;
}

/** Whether the last model call gave text or data and called no tool. Thinking alone is no answer. */
function isFinalText(state: ReplyState): boolean {
  if (state.is_model_call_open) return false;
  const blocks = turnBlocks(state);
  return (
    blocks.some((block) => block.type === "text" || block.type === "data") &&
    !blocks.some((block) => block.type === "tool_call")
  );
}

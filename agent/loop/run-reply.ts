// The loop: decides the next step, does it, and repeats until the reply ends or waits. All its state is in the log.
import type { EventDraft } from "../../protocol/events.ts";
import type { ErrorInfo, Msg } from "../../protocol/messages/messages.ts";
import type { Ability } from "../ability.ts";
import { areTokensSpent, budgetError, isOutputSpent, type SpentBudget } from "../state/budget.ts";
import { abilityHints } from "./ability-hints.ts";
import { beginReply } from "./begin-reply.ts";
import { callOptions } from "./call-options.ts";
import { closeReply, endModelCall } from "../state/close-reply.ts";
import { directAnswer } from "./direct-answer.ts";
import type { MediaStore } from "../media-store.ts";
import { ContextFit } from "./fit-context.ts";
import { modelContext } from "./model-context.ts";
import { CONTEXT_TOO_LONG, modelError } from "../state/model-error.ts";
import { runModelTurn } from "../model-turn/model-turn.ts";
import { nextStep, type Step } from "./next-step.ts";
import { isTransient } from "../model-turn/retry-policy.ts";
import { takeBack } from "../recovery/take-back.ts";
import { turnBlocks } from "../state/reply-state.ts";
import { roundLimitHint } from "../state/round-summary.ts";
import type { ContextKeeper } from "../context/context-keeper.ts";
import { afterBoundary } from "../context/context-view.ts";
import type { PermissionSettings } from "../permission/check-call.ts";
import type {
  Asking,
  CallIds,
  Diagnostics,
  EventLog,
  Model,
  ModelRequest,
  NewId,
  Random,
  Sleep,
  StopSignal,
  TenantQuota,
  ToolRunner,
} from "../ports.ts";
import { offeredTools } from "../tool-call/internal-tools.ts";
import { runToolBatch } from "../tool-call/run-tool-batch.ts";
import { unstartedCalls } from "./unstarted-calls.ts";

export interface ReplyRun {
  readonly session_id: string;
  readonly end_user_id: string | null;
  readonly system_prompt: string;
  readonly max_iters: number;
  /** `stop` when left out. */
  readonly on_max_iters?: "stop" | "summarize";
  /** The platform's own limit when left out. */
  readonly max_tokens?: number;
  readonly quota: TenantQuota;
  /** What to do when a quota is used up before the reply has ended. */
  readonly on_limit: "end" | "park";
  /** Called for each tool call: rules may be added while a reply runs. */
  readonly permission: () => PermissionSettings;
  readonly asking: Asking;
  /** In the order of their hints. */
  readonly abilities: readonly Ability[];
  /** The conversation before this reply, oldest first. */
  readonly history: readonly Msg[];
  /** The agent's model, then its fallbacks. */
  readonly models: readonly [Model, ...Model[]];
  readonly toolRunner: ToolRunner;
  readonly log: EventLog;
  readonly callIds: CallIds;
  readonly newId: NewId;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly stop: StopSignal;
  /**
   * Awaited before each model call: sending a large conversation takes time in which other requests should be served.
   */
  readonly beforeModelCall?: () => Promise<void>;
  /** Whether the reply continues after its machine was lost. */
  readonly isRestart?: boolean;
  readonly diagnostics?: Diagnostics;
  /** Without it, media of any size stays in the log. */
  readonly mediaStore?: MediaStore;
  /** Keeps the requests within the window of the model; without it they are sent as they are. */
  readonly context?: ContextKeeper;
}

/**
 * Resolves when the reply has ended, waits, or was stopped; what was appended is then durable.
 * Contract: rejects only with `FencedError` or on a bug; failures of models and tools are events.
 */
export async function runReply(run: ReplyRun): Promise<void> {
  const { log, stop } = run;
  if (run.isRestart) {
    const { calls, offered } = unstartedCalls(log.state, run.toolRunner.tools);
    await runToolBatch(calls, { ...run, runner: run.toolRunner }, offered);
  }
  await beginReply(run);
  const fit = run.context ? new ContextFit(run.context, run) : null;
  while (!stop.aborted) {
    const step = nextStep(log.state, {
      max_iters: run.max_iters,
      on_max_iters: run.on_max_iters,
      tools: run.toolRunner.tools,
      requiredTools: run.abilities.flatMap((ability) => ability.requiredTool?.(log.state) ?? []),
    });
    switch (step.type) {
      case "call_model": {
        const spent = spentBudget(run);
        if (spent) {
          end(run, "error", budgetError(spent), { budget: spent });
          break;
        }
        const exceeded = await run.quota.check(usedTokens(log.state.message));
        if (stop.aborted) break;
        if (exceeded) {
          if (run.on_limit === "park") return run.quota.wait(exceeded);
          end(run, "error", modelError("quota_exceeded"), { quota: exceeded.quota });
          break;
        }
        const failure = await callModel(run, fit, step);
        if (failure) end(run, "error", failure);
        break;
      }
      case "begin_summary":
        log.append([roundLimitHint(log.state, run.newId("blk"))]);
        break;
      case "run_tools":
        await runToolBatch(step.calls, { ...run, runner: run.toolRunner });
        break;
      case "park":
        log.park(step.status);
        return log.settled();
      case "answer": {
        const answer = directAnswer(log.state, step.results, run.newId);
        const return_direct = step.results.map(({ id }) => id);
        end(run, "completed", undefined, { return_direct }, answer);
        break;
      }
      case "end":
        end(run, step.finished_reason);
        break;
      case "done":
        return log.settled();
      default:
        step satisfies never;
    }
  }
}

/** The tokens that count for quotas. */
export function usedTokens({ usage }: Msg): number {
  return usage === null ? 0 : usage.input_tokens + usage.output_tokens;
}

/** The budget that allows no further model call; null when there is room for one. */
export function spentBudget({ log, max_tokens }: ReplyRun): SpentBudget | null {
  if (areTokensSpent(log.state.message, max_tokens)) return "tokens";
  return isOutputSpent(log.state) ? "output" : null;
}

/**
 * Calls a model. One that failed without output is replaced by the next one for the rest of the reply, whatever the
 * error. So is one that broke off, after its output was taken back, if its error is transient. Which model is next
 * follows from the log alone.
 * @returns The error that the reply ends with, when no model is left.
 */
async function callModel(
  run: ReplyRun,
  fit: ContextFit | null,
  step: Extract<Step, { type: "call_model" }>,
): Promise<ErrorInfo | null> {
  const { log, models, stop } = run;
  await run.beforeModelCall?.();
  if (stop.aborted) return null;
  appendHints(run);
  const index = Math.min(log.state.failed_model_calls, models.length - 1);
  const request = modelRequest(run, step);
  if (fit && !(await fit.isReady(request, index))) return null;
  if (stop.aborted) return null;
  const outcome = await runModelTurn({ ...run, model: models[index] ?? models[0], request });
  if (outcome.type === "completed") fit?.noteCall();
  if (outcome.type !== "failed") return null;
  const hasOutput = turnBlocks(log.state).length > 0;
  const { attempts, isTooLong } = outcome;
  // The same call is made again, and still open; the loop checks the budgets before.
  if (fit && isTooLong && !hasOutput && (await fit.shrink(request, index))) return null;
  if (stop.aborted) return null;
  const error = fit && isTooLong ? CONTEXT_TOO_LONG : outcome.error;
  if ((hasOutput && !isTransient(error)) || index === models.length - 1) return error;
  const metadata = { error, attempts };
  log.append(
    hasOutput ? takeBack(log.state, [], metadata) : endModelCall(log.state, null, { metadata }),
  );
  return null;
}

/** None between the tries of one call: they would be taken for its output. */
function appendHints({ log, abilities, newId, history, context }: ReplyRun): void {
  if (log.state.is_model_call_open) return;
  const { message } = log.state;
  const all = [...history, message];
  const visible = context ? afterBoundary(all, context.state()) : all;
  const reply = { ...log.state, message: visible.at(-1) ?? message };
  const hints = abilityHints(reply, abilities, newId, visible.slice(0, -1));
  if (hints.length > 0) log.append(hints);
}

function modelRequest(
  run: ReplyRun,
  { tool_choice, isSummary = false }: Extract<Step, { type: "call_model" }>,
): ModelRequest {
  const { log, abilities, history, system_prompt } = run;
  const tools = offeredTools(run.toolRunner.tools, abilities, log.state);
  const options = callOptions(log.state, tools, !isSummary);
  return {
    system_prompt,
    messages: modelContext(history, log.state.message, abilities, tools),
    tools,
    ...(tool_choice !== undefined && { tool_choice }),
    ...(options && { options }),
  };
}

function end(
  run: ReplyRun,
  finished_reason: "completed" | "exceed_max_iters" | "error",
  error?: ErrorInfo,
  metadata?: Record<string, unknown>,
  answer: readonly EventDraft[] = [],
): void {
  const { log, session_id, abilities } = run;
  log.append([
    ...abilities.flatMap((ability) => ability.end?.(log.state) ?? []),
    ...answer,
    ...closeReply(log.state, { session_id, finished_reason, error, metadata }),
  ]);
}

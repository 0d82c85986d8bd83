// One step of reasoning: hints, the size of the context, and a model call, inside the deployment's middleware.
import type { ToolChoice } from "../../protocol/models/model-options.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import { afterBoundary } from "../context/context-view.ts";
import { runModelTurn } from "../model-turn/model-turn.ts";
import { isAnswered } from "../model-turn/empty-answer.ts";
import { isTransient } from "../model-turn/retry-policy.ts";
import type { ModelRequest } from "../ports.ts";
import { takeBack } from "../recovery/take-back.ts";
import { endModelCall } from "../state/close-reply.ts";
import { budgetError } from "../state/budget.ts";
import { CONTEXT_TOO_LONG, modelError } from "../state/model-error.ts";
import { turnBlocks } from "../state/reply-state.ts";
import { handOverStep, isServersTurn } from "../state/turn-next.ts";
import { offeredTools } from "../tool-call/internal-tools.ts";
import { abilityHints } from "./ability-hints.ts";
import { callOptions } from "./call-options.ts";
import { endRun } from "./end-run.ts";
import type { ContextFit } from "./fit-context.ts";
import { modelContext } from "./model-context.ts";
import type { Step } from "./next-step.ts";
import type { ReplyRun, ServedTurns } from "./reply-run.ts";
import { spentBudget, usedTokens } from "./run-budgets.ts";

interface ModelStep extends Extract<Step, { type: "call_model" }> {
  /** The tool choice that a hook asks for. */
  readonly asked_choice?: ToolChoice;
}

/**
 * Checks the budgets, asks the hooks, and calls a model. @returns False when the reply waits until a quota has room.
 */
export async function takeModelStep(
  run: ReplyRun,
  fit: ContextFit | null,
  step: Extract<Step, { type: "call_model" }>,
): Promise<boolean> {
  const { log, stop, hooks, quota } = run;
  const spent = spentBudget(run);
  if (spent) {
    endRun(run, "error", budgetError(spent), { budget: spent });
    return true;
  }
  const exceeded = await quota.check(usedTokens(log.state.message));
  if (stop.aborted) return true;
  if (exceeded) {
    if (run.on_limit === "park") {
      quota.wait(exceeded);
      return false;
    }
    endRun(run, "error", modelError("quota_exceeded"), { quota: exceeded.quota });
    return true;
  }
  const asked_choice = await hooks?.beforeReasoning(step.tool_choice);
  if (stop.aborted || hooks?.ending()) return true;
  const failure = await reason(run, fit, { ...step, asked_choice });
  if (failure) endRun(run, "error", failure);
  return true;
}

/** @returns The error that the reply ends with, when no model is left. */
async function reason(
  run: ReplyRun,
  fit: ContextFit | null,
  step: ModelStep,
): Promise<ErrorInfo | null> {
  const { middleware = [], log, session_id, end_user_id, stop } = run;
  const layers = middleware.filter(({ on_reasoning }) => on_reasoning);
  if (layers.length === 0) return callModel(run, fit, step);
  const iteration = log.state.completed_turns.length + 1;
  const reasoning = { session_id, end_user_id, state: () => log.state, stop, iteration };
  let failure: ErrorInfo | null = null;
  let isCalled = false;
  const call = async (asked_choice = step.asked_choice): Promise<void> => {
    isCalled = true;
    failure = await callModel(run, fit, { ...step, asked_choice });
  };
  await layers.reduceRight<(choice?: ToolChoice) => Promise<void>>(
    (next, layer) => (choice) =>
      layer.on_reasoning?.(reasoning, (given = choice) => next(given)) ?? next(choice),
    call,
  )(step.asked_choice);
  // Without an end the loop would come here again and again.
  if (!isCalled && !stop.aborted)
    endRun(run, "completed", undefined, { stopped_by: "on_reasoning" });
  return failure;
}

/**
 * Calls a model. One that failed without an answer is replaced by the next one for the rest of the reply, whatever the
 * error; its thoughts are taken back. So is one that broke off, after its output was taken back, if its error is
 * transient. Which model is next follows from the log alone.
 * @returns The error that the reply ends with, when no model is left.
 */
async function callModel(
  run: ReplyRun,
  fit: ContextFit | null,
  step: ModelStep,
): Promise<ErrorInfo | null> {
  const { log, models, stop, hooks } = run;
  await run.beforeModelCall?.();
  if (stop.aborted) return null;
  await askAbilities(run);
  if (stop.aborted) return null;
  appendHints(run);
  const index = Math.min(log.state.failed_model_calls, models.length - 1);
  const request = modelRequest(run, step);
  const server = serverOf(run);
  // A server is shown as much of the conversation as it may be sent.
  if (!server && fit && !(await fit.isReady(request, index))) return null;
  if (stop.aborted || (hooks && !(await hooks.beforeModelCall(request)))) return null;
  if (server) return askServer(run, server, request);
  const outcome = await runModelTurn({ ...run, model: models[index] ?? models[0], request });
  if (outcome.type === "completed") fit?.noteCall();
  if (outcome.type !== "failed") return null;
  const hasOutput = turnBlocks(log.state).length > 0;
  const { attempts, isTooLong } = outcome;
  // The same call is made again, and still open; the loop checks the budgets before.
  if (fit && isTooLong && !hasOutput && (await fit.shrink(request, index))) return null;
  if (stop.aborted) return null;
  const error = fit && isTooLong ? CONTEXT_TOO_LONG : outcome.error;
  const isFinal = isAnswered(turnBlocks(log.state)) && !isTransient(error);
  if (isFinal || index === models.length - 1) return error;
  const metadata = { error, attempts };
  log.append(
    hasOutput ? takeBack(log.state, [], metadata) : endModelCall(log.state, null, { metadata }),
  );
  return null;
}

/** The server that is asked now; null where it has asked for a turn of the agent's own model, or handed over to it. */
function serverOf({ served, log }: ReplyRun): ServedTurns | null {
  return served && isServersTurn(log.state) ? served : null;
}

/** One turn of a server. @returns The error that the reply ends with, where it may not go on without the server. */
async function askServer(
  run: ReplyRun,
  { model, isOpen }: ServedTurns,
  request: ModelRequest,
): Promise<ErrorInfo | null> {
  const { log, stop } = run;
  // Nothing that a turn is asked about may be lost: its id would stand for another question then.
  await log.settled();
  if (stop.aborted) return null;
  const outcome = await runModelTurn({ ...run, model, request });
  if (outcome.type !== "failed" || stop.aborted) return null;
  const { error } = outcome;
  if (!isOpen) return error;
  log.append([...takeBack(log.state, [], { error }), handOverStep(log.state)]);
  return null;
}

/** None between the tries of one call, as {@link appendHints}. */
async function askAbilities({ log, abilities, stop }: ReplyRun): Promise<void> {
  for (const ability of abilities) {
    if (!ability.beforeCall || log.state.is_model_call_open) continue;
    const events = await ability.beforeCall(log.state, stop);
    if (stop.aborted) return;
    if (events.length > 0) log.append([...events]);
  }
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
  { tool_choice, asked_choice, isSummary = false }: ModelStep,
): ModelRequest {
  const { log, abilities, history, system_prompt } = run;
  const tools = offeredTools(run.toolRunner.tools, abilities, log.state);
  const options = callOptions(log.state, tools, !isSummary);
  // A hook may ask for a tool that is not there at the moment: a provider would refuse the request.
  const isThere =
    typeof asked_choice !== "object" || tools.some(({ name }) => name === asked_choice.name);
  const chosen = isSummary || !isThere ? undefined : asked_choice;
  return {
    system_prompt,
    messages: modelContext(history, log.state.message, abilities, tools),
    tools,
    ...(tool_choice !== undefined && { tool_choice }),
    ...((options || chosen) && { options: { ...options, ...(chosen && { tool_choice: chosen }) } }),
  };
}

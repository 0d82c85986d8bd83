// The remark: one short model call after an interrupt, without tools, and then the end of the reply. It is not worth
// waiting for: whatever goes wrong, the reply ends as interrupted.
import { MAX_INTERRUPT_REMARK_CHARACTERS } from "../../protocol/replies/limits.ts";
import { cutText } from "../json/split-text.ts";
import { runModelTurn } from "../model-turn/model-turn.ts";
import type { Model, StopSignal } from "../ports.ts";
import { budgetError } from "../state/budget.ts";
import { closeReply } from "../state/close-reply.ts";
import { modelError } from "../state/model-error.ts";
import { offeredTools } from "../tool-call/internal-tools.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import { callOptions } from "./call-options.ts";
import { modelContext } from "./model-context.ts";
import type { ReplyRun } from "./reply-run.ts";
import { spentBudget, usedTokens } from "./run-budgets.ts";

/** Structurally an `AbortController`: aborted when the time is over, or with the run's `stop`. */
export interface RemarkLimit {
  readonly signal: StopSignal;
  abort(): void;
}

/**
 * Ends the reply, which is `is_interrupted`. After `run.stop` another one owns it, and nothing is written.
 * Contract as that of `runReply`.
 */
export async function runRemark(run: ReplyRun, limit: RemarkLimit): Promise<void> {
  const { log, stop, session_id } = run;
  const error = await makeRemark(run, limit);
  if (stop.aborted) return;
  if (log.state.message.finished_reason === null) {
    const metadata = error ? { remark_error: error } : undefined;
    log.append(closeReply(log.state, { session_id, finished_reason: "interrupted", metadata }));
  }
  return log.settled();
}

/** @returns Why there is no remark, or only a part of one; null when there is nothing to say about it. */
async function makeRemark(run: ReplyRun, limit: RemarkLimit): Promise<ErrorInfo | null> {
  const { log, models, abilities, toolRunner, hooks } = run;
  const spent = spentBudget(run);
  if (spent) return budgetError(spent);
  if (await run.quota.check(usedTokens(log.state.message))) return modelError("quota_exceeded");
  await run.beforeModelCall?.();
  if (limit.signal.aborted) return null;
  const index = Math.min(log.state.failed_model_calls, models.length - 1);
  const tools = offeredTools(toolRunner.tools, abilities, log.state);
  const request = {
    system_prompt: run.system_prompt,
    messages: modelContext(run.history, log.state.message, abilities, tools),
    tools,
    options: callOptions(log.state, tools, false),
  };
  if (hooks && !(await hooks.beforeModelCall(request, limit.signal))) return null;
  const outcome = await runModelTurn({
    ...run,
    stop: limit.signal,
    isOnlyTry: true,
    model: shortText(models[index] ?? models[0], limit),
    request,
  });
  return outcome.type === "failed" ? outcome.error : null;
}

/** The model's text alone, up to a limit at which its call is stopped: it calls no tool, whatever it asks for. */
function shortText(model: Model, limit: RemarkLimit): Model {
  return {
    ...model,
    async *stream(request, stop, report) {
      let room = MAX_INTERRUPT_REMARK_CHARACTERS;
      for await (const { text = "", usage, error } of model.stream(request, stop, report)) {
        const kept = cutText(text, room);
        if (kept !== "") yield { text: kept };
        room -= text.length;
        if (room < 0) {
          limit.abort();
          return;
        }
        if (usage || error) yield { usage, error };
      }
    },
  };
}

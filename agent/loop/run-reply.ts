// The loop: decides the next step, does it, and repeats until the reply ends or waits. All its state is in the log.
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { printAnswer } from "../hooks/print-answer.ts";
import type { ReplyHooks } from "../hooks/reply-hooks.ts";
import { unfinishedCalls } from "../state/reply-state.ts";
import { roundLimitHint } from "../state/round-summary.ts";
import { stopMetadata } from "../tool-call/request-stop.ts";
import { runToolBatch } from "../tool-call/run-tool-batch.ts";
import { beginReply } from "./begin-reply.ts";
import { takeModelStep } from "./call-model.ts";
import { directAnswer } from "./direct-answer.ts";
import { endRun } from "./end-run.ts";
import { ContextFit } from "./fit-context.ts";
import { nextStep } from "./next-step.ts";
import type { ReplyRun } from "./reply-run.ts";
import { unstartedCalls } from "./unstarted-calls.ts";

/**
 * Resolves when the reply has ended, waits, or was stopped; what was appended is then durable.
 * Contract: rejects only with `FencedError` or on a bug; failures of models and tools are events.
 * @param core What the middleware is around: the loop, or an agent in code.
 */
export async function runReply(
  run: ReplyRun,
  core: (run: ReplyRun) => Promise<void> = runLoop,
): Promise<void> {
  const { middleware = [], log, session_id, end_user_id, stop } = run;
  const reply = { session_id, end_user_id, state: () => log.state, stop };
  let isRun = false;
  await middleware.reduceRight(
    (next, layer) => () => layer.on_reply?.(reply, next) ?? next(),
    () => {
      isRun = true;
      return core(run);
    },
  )();
  // A reply that no layer has run would stay open, with nothing that continues it.
  if (!isRun && !stop.aborted) endRun(run, "completed", undefined, { stopped_by: "on_reply" });
  return log.settled();
}

/** The loop itself, without the middleware around it. */
export async function runLoop(run: ReplyRun): Promise<void> {
  const { log, stop, hooks } = run;
  if (run.isRestart) {
    const { calls, offered } = unstartedCalls(log.state, run.toolRunner.tools);
    if (calls.length > 0) await runCalls(run, calls, offered);
  }
  await beginReply(run);
  const fit = run.context ? new ContextFit(run.context, run) : null;
  while (!stop.aborted) {
    if (hooks && (await afterSteps(run, hooks))) continue;
    const step = nextStep(log.state, {
      max_iters: run.max_iters,
      on_max_iters: run.on_max_iters,
      tools: run.toolRunner.tools,
      isServed: run.served !== undefined,
      requiredTools: run.abilities.flatMap((ability) => ability.requiredTool?.(log.state) ?? []),
    });
    switch (step.type) {
      case "call_model":
        if (!(await takeModelStep(run, fit, step))) return;
        break;
      case "begin_summary":
        log.append([roundLimitHint(log.state, run.newId("blk"))]);
        break;
      case "run_tools":
        await runCalls(run, step.calls);
        break;
      case "park":
        log.park(step.status);
        return log.settled();
      case "answer": {
        const results = hooks ? await printAnswer(step.results, hooks) : step.results;
        if (hooks && !(await isReplyDone(run, hooks))) break;
        const answer = directAnswer(log.state, results, run.newId);
        const return_direct = step.results.map(({ id }) => id);
        const metadata = { return_direct, ...stopMetadata(log.state) };
        endRun(run, "completed", undefined, metadata, answer);
        break;
      }
      case "end":
        if (hooks && !(await isReplyDone(run, hooks))) break;
        endRun(run, step.finished_reason, undefined, stopMetadata(log.state));
        break;
      case "done":
        return log.settled();
      default:
        step satisfies never;
    }
  }
}

/**
 * Asks the hooks about what the last steps have given, and ends a reply that one of them has ended.
 * @returns Whether the loop has to look again before its next step.
 */
export async function afterSteps(run: ReplyRun, hooks: ReplyHooks): Promise<boolean> {
  const { log, stop } = run;
  if (log.state.message.finished_reason !== null) return false;
  await hooks.afterSteps();
  if (stop.aborted) return true;
  const ending = hooks.ending();
  if (!ending) return false;
  const { finished_reason, error, metadata, answer } = ending;
  endRun(run, finished_reason, error, metadata, answer);
  return true;
}

/** Asks the hooks behind the reply. @returns False when it was stopped, or a hook has ended it in another way. */
export async function isReplyDone({ stop }: ReplyRun, hooks: ReplyHooks): Promise<boolean> {
  if (!hooks.ending()) await hooks.afterReply();
  return !stop.aborted && hooks.ending() === null;
}

/** Runs calls once their hooks have answered: these may have changed, blocked or ended anything. */
export async function runCalls(
  run: ReplyRun,
  calls: readonly ToolCallBlock[],
  offered?: readonly PermissionRule[],
): Promise<void> {
  const { hooks, log, stop, toolRunner } = run;
  const context = { ...run, runner: toolRunner };
  if (!hooks) return runToolBatch(calls, context, offered);
  await hooks.beforeActing(calls, toolRunner.tools, run.permission());
  if (stop.aborted || hooks.ending()) return;
  const ids = new Set(calls.map(({ id }) => id));
  // As they are now: a person may have answered meanwhile, and a hook may have changed an input.
  const current = unfinishedCalls(log.state).filter(
    ({ id, state }) => ids.has(id) && (state === "pending" || state === "allowed"),
  );
  await runToolBatch(current, context, offered);
}

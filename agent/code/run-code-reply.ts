// Runs an agent in code over the ports of the loop. Its steps are a journal in the log: a step that is there gives what
// it gave before, so a crash, or an answer from outside, only calls the function again.
import { AGENT_STEP, type AgentStepValue } from "../../protocol/agents/events.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_AGENT_STEP_BYTES, MAX_AGENT_STEPS } from "../../protocol/agents/limits.ts";
import type {
  ContentBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../../protocol/messages/blocks.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { cutText, splitText } from "../json/split-text.ts";
import { takeModelStep } from "../loop/call-model.ts";
import { beginReply } from "../loop/begin-reply.ts";
import { endRun } from "../loop/end-run.ts";
import { ContextFit } from "../loop/fit-context.ts";
import { nextStep } from "../loop/next-step.ts";
import type { ReplyRun } from "../loop/reply-run.ts";
import { afterSteps, isReplyDone, runCalls, runLoop } from "../loop/run-reply.ts";
import { unstartedCalls } from "../loop/unstarted-calls.ts";
import { budgetError, isOutputSpent, roomForWords } from "../state/budget.ts";
import { unfinishedCalls } from "../state/reply-state.ts";
import { stopMetadata } from "../tool-call/request-stop.ts";
import type { CodeAgent, CodeReply } from "./code-agent.ts";

/** Thrown out of the agent's code when its execution is over: the reply waits, has ended, or was stopped. */
class ExecutionOver extends Error {
  override readonly name = "ExecutionOver";
}

/** Resolves as `runReply` does. Rejects with what the agent's code throws, which ends the reply with an error. */
export async function runCodeReply(
  run: ReplyRun,
  code: CodeAgent,
  agent: AgentDefinition,
): Promise<void> {
  const { log, stop, hooks } = run;
  if (run.isRestart) {
    const { calls, offered } = unstartedCalls(log.state, run.toolRunner.tools);
    if (calls.length > 0) await runCalls(run, calls, offered);
  }
  await beginReply(run);
  // Steps from before a crash that hooks were not asked about since.
  if (!stop.aborted) await hooks?.afterOwnSteps();
  if (stop.aborted || (hooks && (await afterSteps(run, hooks)))) return;
  const steps = new CodeSteps(run, agent);
  try {
    await code.reply(steps.reply);
  } catch (error) {
    // Also where its own code has caught ours and thrown another.
    if (!steps.isOver) throw error;
  }
  if (steps.isOver || stop.aborted || log.state.message.finished_reason !== null) return;
  if (hooks && !(await isReplyDone(run, hooks))) {
    if (!stop.aborted) await afterSteps(run, hooks);
    return;
  }
  endRun(run, "completed");
}

class CodeSteps {
  readonly reply: CodeReply;
  readonly #run: ReplyRun;
  readonly #fit: ContextFit | null;
  /** Whether this execution may do nothing more. */
  #isOver = false;
  /** One step at a time: each is a turn of its own. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(run: ReplyRun, agent: AgentDefinition) {
    this.#run = run;
    this.#fit = run.context ? new ContextFit(run.context, run) : null;
    const { session_id, end_user_id, history, stop, log } = run;
    const answered = history.map(({ role }) => role).lastIndexOf("assistant");
    this.reply = {
      session_id,
      end_user_id,
      reply_id: log.state.message.id,
      agent,
      history,
      input: history.slice(answered + 1),
      stop,
      message: () => log.state.message,
      say: (step, text) => this.#inTurn(() => this.#say(step, text)),
      call: (step, tool, input) => this.#inTurn(() => this.#call(step, tool, input)),
      reason: (step) => this.#inTurn(() => this.#reason(step)),
      act: () => this.#inTurn(() => this.#act()),
      run: () => this.#inTurn(() => this.#handOver()),
      once: (step, work) => this.#inTurn(() => this.#once(step, work)),
    };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = this.#last.then(() => {
      this.#checkOpen();
      return work();
    });
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #say(step: string, text: string): Promise<void> {
    const { log, newId, hooks } = this.#run;
    if (this.#known(step, "say") || text === "") return;
    if (isOutputSpent(log.state)) return this.#endSpent();
    const shown = hooks?.has("pre_print") ? await hooks.beforePrint("text", text) : { text };
    this.#checkOpen();
    const block_id = newId("blk");
    const block = { reply_id: log.state.message.id, block_id };
    const words = cutText(shown.text, roomForWords(log.state));
    log.append([
      this.#begun({ step, kind: "say", value: block_id }),
      { type: "TEXT_BLOCK_START", ...block },
      ...splitText(words).map((delta) => ({ type: "TEXT_BLOCK_DELTA", ...block, delta }) as const),
      { type: "TEXT_BLOCK_END", ...block, text: null },
    ]);
    await this.#afterStep();
  }

  async #call(
    step: string,
    name: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<ToolResultBlock> {
    const { log, newId } = this.#run;
    let id = this.#known(step, "call")?.value;
    if (id === undefined) {
      if (isOutputSpent(log.state)) this.#endSpent();
      this.#checkOpen();
      id = newId("call");
      const call = { reply_id: log.state.message.id, tool_call_id: String(id) };
      log.append([
        this.#begun({ step, kind: "call", value: id }),
        { type: "TOOL_CALL_START", ...call, tool_call_name: name },
        ...splitText(JSON.stringify(input)).map(
          (delta) => ({ type: "TOOL_CALL_DELTA", ...call, delta }) as const,
        ),
        { type: "TOOL_CALL_END", ...call },
      ]);
    }
    await this.#runOpenCalls();
    const result = log.state.message.content.find(
      (block): block is ToolResultBlock => block.type === "tool_result" && block.id === id,
    );
    if (!result) throw new Error(`the call of ${name} in step ${step} has no result`);
    return result;
  }

  async #reason(step: string): Promise<readonly ContentBlock[]> {
    const { log } = this.#run;
    const known = this.#known(step, "reason");
    const number = Number(known?.value ?? log.state.completed_turns.length);
    if (!known) log.append([this.#begun({ step, kind: "reason", value: number })]);
    while (log.state.completed_turns.length <= number) {
      const isReady = await takeModelStep(this.#run, this.#fit, { type: "call_model" });
      if (!isReady) this.#end();
      if (this.#run.hooks?.ending()) await this.#afterStep();
      this.#checkOpen();
    }
    await this.#afterStep();
    const { completed_turns, message } = log.state;
    const said = message.content.slice(completed_turns[number], completed_turns[number + 1]);
    const end = said.findIndex(({ type }) => type === "tool_result");
    return end === -1 ? said : said.slice(0, end);
  }

  async #act(): Promise<void> {
    await this.#runOpenCalls();
  }

  /** Runs what the current turn has open, batch by batch; ends the execution when something has to be waited for. */
  async #runOpenCalls(): Promise<void> {
    const { log, toolRunner, max_iters } = this.#run;
    const settings = { max_iters, tools: toolRunner.tools, requiredTools: [] };
    while (unfinishedCalls(log.state).length > 0) {
      const step = nextStep(log.state, settings);
      if (step.type === "park") {
        await this.#afterStep();
        log.park(step.status);
        this.#end();
      }
      const calls: readonly ToolCallBlock[] = step.type === "run_tools" ? step.calls : [];
      if (calls.length === 0) break;
      await runCalls(this.#run, calls);
      await this.#afterStep();
    }
    await this.#afterStep();
    if (log.state.stopped_by !== null) await this.#endStopped();
  }

  /** Ends the reply as a tool has asked for: of the agent's code nothing more runs. */
  async #endStopped(): Promise<void> {
    const { hooks, log } = this.#run;
    if (!hooks || (await isReplyDone(this.#run, hooks))) {
      endRun(this.#run, "completed", undefined, stopMetadata(log.state));
    }
    await this.#afterStep();
  }

  async #handOver(): Promise<never> {
    const { log } = this.#run;
    if (!this.#known("run", "run")) log.append([this.#begun({ step: "run", kind: "run" })]);
    await runLoop({ ...this.#run, isRestart: false });
    return this.#end();
  }

  async #once<Value>(
    step: string,
    work: (stop: ReplyRun["stop"]) => Promise<Value> | Value,
  ): Promise<Value> {
    const { log, stop } = this.#run;
    const known = this.#known(step, "value");
    if (known) return known.value as Value;
    const value = await work(stop);
    this.#checkOpen();
    const text = JSON.stringify(value ?? null);
    if (utf8Bytes(text) > MAX_AGENT_STEP_BYTES) {
      throw new Error(`the value of step ${step} takes more than ${MAX_AGENT_STEP_BYTES} bytes`);
    }
    // As a later execution will read it.
    const kept = JSON.parse(text) as Value;
    log.append([this.#begun({ step, kind: "value", value: kept })]);
    await this.#afterStep();
    return kept;
  }

  /** A name may be used once: what it gave is in the log. @throws when it is another kind of step there. */
  #known(step: string, kind: AgentStepValue["kind"]): AgentStepValue | undefined {
    const { agent_steps } = this.#run.log.state;
    const known = agent_steps.get(step);
    if (!known && agent_steps.size >= MAX_AGENT_STEPS) {
      throw new Error(`a reply may have ${MAX_AGENT_STEPS} steps`);
    }
    if (known && known.kind !== kind) {
      throw new Error(`step ${step} was ${known.kind} in the log, and is ${kind} now`);
    }
    return known;
  }

  #begun(step: Omit<AgentStepValue, "reply_id">): EventDraft {
    const { id: reply_id } = this.#run.log.state.message;
    return { type: "CUSTOM", name: AGENT_STEP, reply_id, value: { reply_id, ...step } };
  }

  /** Waits until the step is on disk and hooks have answered; the agent's code continues after that. */
  async #afterStep(): Promise<void> {
    const { hooks, log } = this.#run;
    if (hooks && !this.#run.stop.aborted) {
      await hooks.afterOwnSteps();
      await afterSteps(this.#run, hooks);
    }
    await log.settled();
    this.#checkOpen();
  }

  #endSpent(): void {
    endRun(this.#run, "error", budgetError("output"), { budget: "output" });
  }

  #checkOpen(): void {
    const { stop, log } = this.#run;
    if (this.#isOver || stop.aborted || log.state.message.finished_reason !== null) this.#end();
  }

  #end(): never {
    this.#isOver = true;
    throw new ExecutionOver();
  }
}

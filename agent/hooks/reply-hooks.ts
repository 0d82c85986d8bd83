// The hooks of one reply, for one execution of it. What was answered before is in the log and is not asked again.
import { HOOK_ANSWERED, type HookPoint } from "../../protocol/hooks/events.ts";
import type {
  ContentBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_REPLY_BLOCKS } from "../../protocol/replies/limits.ts";
import { ToolChoiceSchema, type ToolChoice } from "../../protocol/models/model-options.ts";
import { findMisfit } from "../json-schema/find-misfit.ts";
import type { PermissionSettings } from "../permission/check-call.ts";
import type { EventLog, ModelRequest, NewId, StopSignal, ToolDeclaration } from "../ports.ts";
import { roomForAnswers } from "../state/budget.ts";
import { countTurnCalls, type ReplyState } from "../state/reply-state.ts";
import { startedCallIds } from "../state/started-call-ids.ts";
import { prepareCall } from "../tool-call/prepare-call.ts";
import { askHook, questionId, type HookScope } from "./ask-hook.ts";
import { hookEnding, type HookEnding } from "./hook-ending.ts";
import type { HookQuestion } from "./hook-question.ts";
import type { HookRunner, RegisteredHook } from "./hook-runner.ts";
import { inParallel, outputText, readInput, showMessage } from "./shown.ts";
import { replaceContents, withChange } from "./read-change.ts";
import { showRequest } from "./shown-request.ts";

export interface ReplyHooksContext {
  readonly hooks: readonly RegisteredHook[];
  readonly runner: HookRunner;
  readonly log: EventLog;
  readonly session_id: string;
  readonly end_user_id: string | null;
  readonly newId: NewId;
  readonly stop: StopSignal;
  /** A hash of a text, by which the question about it is known again; without a dot. */
  readonly hash: (text: string) => Promise<string>;
  /** Functions that the deployment does not have any more, at points where they are not asked but called. */
  readonly missing?: readonly RegisteredHook[];
}

export class ReplyHooks {
  readonly #context: ReplyHooksContext;
  readonly #points: ReadonlySet<string>;

  constructor(context: ReplyHooksContext) {
    // A function at `pre_print` sees events: `printedLog` calls it.
    const hooks = context.hooks.filter(
      ({ definition: { point, type } }) => type === "http" || point !== "pre_print",
    );
    this.#context = { ...context, hooks };
    this.#points = new Set(hooks.map(({ definition }) => definition.point));
    this.#noteMissing();
  }

  /** Whether any hook is registered at the point. */
  has(point: HookPoint): boolean {
    return this.#points.has(point);
  }

  /** The reply's ending, once a hook has ended it; null while it continues. */
  ending(): HookEnding | null {
    const { end } = this.#state.hooks;
    const { newId } = this.#context;
    return end && hookEnding(end, { reply_id: this.#state.message.id, newId });
  }

  /**
   * `pre_reply`: asked until it is answered.
   * @param history The messages before the reply; those behind the last answer are its input.
   * @returns The messages as the model sees them.
   */
  async beforeReply(history: readonly Msg[]): Promise<readonly Msg[]> {
    if (!this.has("pre_reply") || this.#state.completed_turns.length > 0) return history;
    const answered = history.map(({ role }) => role).lastIndexOf("assistant");
    const messages = history.slice(answered + 1).map(showMessage);
    const asked = await this.#ask({ point: "pre_reply", step: null, input: { messages } });
    return replaceContents(history, asked.input.messages ?? []);
  }

  /** `pre_reasoning`. @returns The tool choice of the next model call; undefined for the one that it has. */
  async beforeReasoning(given: string | undefined): Promise<ToolChoice | undefined> {
    if (!this.has("pre_reasoning")) return undefined;
    const iteration = this.#state.completed_turns.length + 1;
    const tool_choice = given === undefined ? null : { name: given };
    const question = { point: "pre_reasoning", step: String(iteration) } as const;
    const { input } = await this.#ask({ ...question, input: { iteration, tool_choice } });
    const parsed = ToolChoiceSchema.safeParse(input.tool_choice);
    return parsed.success && input.tool_choice !== tool_choice ? parsed.data : undefined;
  }

  /**
   * `pre_model_call`. A request that is tried again, by this execution, another one or with another model, was asked about
   * already; one that has changed since is another question.
   * @param stop The reply's own when left out.
   * @returns Whether the model may be sent it: no hook has ended the reply, and it was not stopped.
   */
  async beforeModelCall(
    request: ModelRequest,
    stop: StopSignal = this.#context.stop,
  ): Promise<boolean> {
    if (!this.has("pre_model_call")) return true;
    const { completed_turns, structured_schema } = this.#state;
    const iteration = completed_turns.length + 1;
    const { whole, ...shown } = showRequest(request, structured_schema);
    const step = `${iteration}-${await this.#context.hash(whole)}`;
    await this.#ask({ point: "pre_model_call", step, input: { iteration, ...shown } }, stop);
    return !stop.aborted && this.#state.hooks.end === null;
  }

  /**
   * `pre_acting`, for each call that nothing has decided yet. A call that a person has approved is not shown: nothing
   * changes it any more. Neither is one that cannot run.
   */
  async beforeActing(
    calls: readonly ToolCallBlock[],
    tools: readonly ToolDeclaration[],
    permission: PermissionSettings,
  ): Promise<void> {
    if (!this.has("pre_acting")) return;
    const started = startedCallIds(this.#state);
    const settings = { ...permission, calls: countTurnCalls(this.#state) };
    const fresh = calls.filter((call) => call.state === "pending" && !started.has(call.id));
    await inParallel(fresh, async (call) => {
      const tool = tools.find(({ name }) => name === call.name);
      const prepared = prepareCall(call, tools, settings);
      if (!tool || prepared.type === "refuse") return;
      await this.#ask({
        point: "pre_acting",
        step: call.id,
        input: { tool_call: { id: call.id, name: call.name, input: prepared.input } },
        fitsTool: (input) =>
          findMisfit(input, tool.input_schema, { schemaName: "its schema" }) === null,
        isAsked: prepared.type === "ask",
      });
    });
  }

  /** `post_print`, `post_reasoning` and `post_acting`, for what the last model call and its calls have given. */
  async afterSteps(): Promise<void> {
    const { message, completed_turns, is_model_call_open } = this.#state;
    const from = completed_turns.at(-1);
    if (message.finished_reason !== null || is_model_call_open || from === undefined) return;
    const iteration = completed_turns.length;
    if (this.has("post_print")) await this.#afterPrint(message.content.slice(from));
    if (this.has("post_reasoning")) {
      const { id: message_id } = this.#state.message;
      const blocks = () =>
        this.#state.message.content.slice(from).filter(({ type }) => type !== "tool_result");
      const question = { point: "post_reasoning", step: String(iteration), blocks } as const;
      await this.#ask({
        ...question,
        input: { iteration },
        output: { message_id, blocks: blocks() },
      });
    }
    if (this.has("post_acting")) await this.#afterActing(from);
  }

  /** `post_print` and `post_acting`, for all of the reply: an agent in code speaks and makes calls without a model. */
  async afterOwnSteps(): Promise<void> {
    const { message, is_model_call_open } = this.#state;
    if (message.finished_reason !== null || is_model_call_open) return;
    if (this.has("post_print")) await this.#afterPrint(message.content);
    if (this.has("post_acting")) await this.#afterActing(0);
  }

  /** `post_reply`: before the end of a reply that has come to its end by itself. */
  async afterReply(): Promise<void> {
    if (!this.has("post_reply")) return;
    const { id: message_id } = this.#state.message;
    const blocks = () => this.#state.message.content;
    const output = { message_id, blocks: blocks() };
    await this.#ask({ point: "post_reply", step: null, input: {}, output, blocks });
  }

  /**
   * `pre_print` of a finished block. What is held back is on no disk, so its question is known by the text itself: the
   * same after a crash, and another one when a model that is called again says something else.
   * @param place What is printed there; the place in the message when left out.
   * @param stop The reply's own when left out. Once it is aborted nothing is shown.
   * @returns What is to be shown in its place, and whether anything may follow.
   */
  async beforePrint(
    type: "text" | "thinking",
    text: string,
    {
      place,
      stop = this.#context.stop,
    }: { readonly place?: string; readonly stop?: StopSignal } = {},
  ): Promise<PrintedBlock> {
    const at = place ?? String(this.#state.message.content.length);
    const id = `${at}-${await this.#context.hash(`${type}\n${text}`)}`;
    const input = { block: { id, type, text } };
    const { input: shown } = await this.#ask({ point: "pre_print", step: id, input }, stop);
    if (stop.aborted) return { text: "", isLast: true };
    return { text: shown.block?.text ?? text, isLast: this.#state.hooks.end !== null };
  }

  async #afterPrint(blocks: readonly ContentBlock[]): Promise<void> {
    const { added } = this.#state.hooks;
    for (const block of blocks) {
      if ((block.type !== "text" && block.type !== "thinking") || added.has(block.id)) continue;
      const text = block.type === "text" ? block.text : block.thinking;
      const input = { block: { id: block.id, type: block.type, text } };
      await this.#ask({ point: "post_print", step: block.id, input });
    }
  }

  async #afterActing(from: number): Promise<void> {
    const turn = this.#state.message.content.slice(from);
    const ended = turn.filter(
      (block): block is ToolResultBlock =>
        block.type === "tool_result" && block.state !== "running" && block.finished_at !== null,
    );
    await inParallel(ended, async (result) => {
      const call = turn.find(
        (block): block is ToolCallBlock => block.type === "tool_call" && block.id === result.id,
      );
      if (call?.state !== "finished") return;
      await this.#ask({
        point: "post_acting",
        step: call.id,
        input: { tool_call: { id: call.id, name: call.name, input: readInput(call.input) } },
        output: { state: result.state, text: outputText(result) },
      });
    });
  }

  /**
   * Asks the hooks of a point in their order; each is shown what the ones before it have made of it. After one that ends
   * the reply, and for a call that is blocked, the others are not asked.
   */
  async #ask(question: HookQuestion, stop: StopSignal = this.#context.stop): Promise<HookQuestion> {
    const { hooks, log } = this.#context;
    const room = () => roomForAnswers(log.state);
    const roomForBlocks = () => MAX_REPLY_BLOCKS - log.state.message.content.length;
    const at = { reply_id: log.state.message.id, stop };
    const scope: HookScope = { ...this.#context, ...at, room, roomForBlocks };
    // The remark of a reply that had an end before is printed, too.
    const before = question.point === "pre_print" ? log.state.hooks.end : null;
    let shown = question;
    for (const hook of hooks) {
      if (hook.definition.point !== question.point) continue;
      const { answers, end } = log.state.hooks;
      const known = answers.get(questionId(hook, question, scope));
      if (known) {
        shown = asItIs(withChange(shown, known.change));
        if (known.outcome === "blocked") break;
        continue;
      }
      if (stop.aborted || (end && end !== before)) break;
      // The subject of the question has to be on disk: after a crash it is the same question, and not one about a call
      // that never was.
      await log.settled();
      if (stop.aborted) break;
      const answered = await askHook(hook, shown, scope);
      if (!answered || stop.aborted) break;
      log.append(answered.events);
      shown = asItIs(withChange(shown, answered.value.change));
      if (answered.value.outcome === "blocked") break;
    }
    return shown;
  }

  /** A guard that is gone must not be passed unnoticed: with `closed` the reply ends. */
  #noteMissing(): void {
    const { missing = [], log, session_id } = this.#context;
    const { id: reply_id, finished_reason } = log.state.message;
    for (const hook of finished_reason === null ? missing : []) {
      const { name, point, on_failure } = hook.definition;
      const id = questionId(hook, { point, step: null }, { session_id, reply_id });
      if (log.state.hooks.answers.has(id)) continue;
      const failure = { kind: "not_found", on_failure };
      const value = { reply_id, id, hook: name, point, step: null, outcome: "failed", failure };
      log.append([{ type: "CUSTOM", name: HOOK_ANSWERED, reply_id, value }]);
    }
  }

  get #state(): ReplyState {
    return this.#context.log.state;
  }
}

/** The question with the blocks of the log, which have their ids and times. */
function asItIs(question: HookQuestion): HookQuestion {
  const { output, blocks } = question;
  return output && blocks ? { ...question, output: { ...output, blocks: blocks() } } : question;
}

export interface PrintedBlock {
  readonly text: string;
  /** The reply is to end: nothing that the model says behind it is shown. */
  readonly isLast: boolean;
}

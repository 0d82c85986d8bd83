// A reply whose calls wait for people and systems outside, with everything that a session keeps of it: the log, the
// session's rules, and what was answered.
import { answerConfirmations, answerExternalCalls } from "../../agent/answers/answer-calls.ts";
import type {
  AnswerContext,
  Answered,
  AnswerRights,
  CallJournal,
  GivenAnswer,
} from "../../agent/answers/answer-calls.ts";
import type { PermissionSettings } from "../../agent/permission/check-call.ts";
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Result } from "../../protocol/errors.ts";
import type { ConfirmResult, EventDraft, EventOf } from "../../protocol/events.ts";
import type { PermissionMode, PermissionRule } from "../../protocol/messages/permission.ts";
import { caseEvent } from "./fold.ts";
import { functionTools, type FunctionTool } from "./function-tools.ts";
import { MemoryLog } from "./memory-log.ts";
import { runScript } from "./run-script.ts";

/** May take what was suggested, and need not prove anything. */
export const APPROVER: AnswerRights = {
  may_write_rules: false,
  may_take_rules: true,
  may_edit: true,
  must_prove_input: false,
};
export const APPROVED_BY = { kind: "api_key", id: "key_1" };

export interface DeskSettings {
  readonly script: string;
  readonly tools: Readonly<Record<string, FunctionTool>>;
  readonly rules?: readonly PermissionRule[];
  readonly mode?: PermissionMode;
  readonly max_iters?: number;
  readonly stop?: AbortSignal;
}

/** An answer in short: the call by its place in the message, and what differs from a plain yes. */
export interface ShortAnswer extends Partial<
  Pick<ConfirmResult, "confirmed" | "rules" | "reason">
> {
  readonly call: number;
  readonly name?: string;
  readonly input?: string;
}

export class ApprovalDesk {
  readonly log = new MemoryLog();
  readonly rules: PermissionRule[];
  readonly #settings: DeskSettings;
  readonly #answers = new Map<string, GivenAnswer>();

  constructor(settings: DeskSettings) {
    this.#settings = settings;
    this.rules = [...(settings.rules ?? [])];
  }

  get calls(): readonly ToolCallBlock[] {
    return this.log.state.message.content.filter((block) => block.type === "tool_call");
  }

  /** Each call's state and its result's. */
  get states(): readonly string[] {
    const { content } = this.log.state.message;
    return this.calls.map((call) => {
      const results = content.filter((block) => block.type === "tool_result");
      return [call, ...results.filter(({ id }) => id === call.id)]
        .map(({ state }) => state)
        .join(" ");
    });
  }

  get permission(): PermissionSettings {
    const { mode = "default" } = this.#settings;
    return { mode, rules: this.rules, working_directories: [] };
  }

  context(rights: AnswerRights = APPROVER): AnswerContext {
    return {
      permission: this.permission,
      tools: functionTools(this.#settings.tools).tools,
      rights,
      decided_by: APPROVED_BY,
      journalOf: (id) => this.#journalOf(id),
    };
  }

  /** Runs the loop until the reply ends or waits; gives the types of the events that came. */
  async run(): Promise<readonly string[]> {
    const before = this.log.events.length;
    this.log.parked = null;
    const { script, tools, max_iters, stop } = this.#settings;
    await runScript({
      script,
      tools: functionTools(tools),
      permission: () => this.permission,
      log: this.log,
      ...(max_iters !== undefined && { max_iters }),
      ...(stop && { stop }),
    });
    return this.log.types.slice(this.typesOf(before).length);
  }

  confirmation(
    answers: readonly ShortAnswer[],
    metadata: Record<string, unknown> = {},
  ): EventOf<"USER_CONFIRM_RESULT"> {
    return caseEvent({
      type: "USER_CONFIRM_RESULT",
      reply_id: "rep_1",
      confirm_results: answers.map((answer) => {
        const { call: index, confirmed = true, rules = null, reason, ...edit } = answer;
        const tool_call = { ...this.calls[index], ...edit };
        return { confirmed, tool_call, rules, ...(reason !== undefined && { reason }) };
      }),
      metadata,
    }) as EventOf<"USER_CONFIRM_RESULT">;
  }

  /** Answers, and appends what follows when the answer is taken. */
  confirm(
    answers: readonly ShortAnswer[],
    { rights, metadata }: { rights?: AnswerRights; metadata?: Record<string, unknown> } = {},
  ): Result<Answered> {
    const event = this.confirmation(answers, metadata);
    return this.#take(answerConfirmations(this.log.state, event, this.context(rights)));
  }

  submission(results: readonly Partial<ToolResultBlock>[]): EventOf<"EXTERNAL_EXECUTION_RESULT"> {
    return caseEvent({
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: "rep_1",
      execution_results: results.map((result) => {
        const name = this.calls.find(({ id }) => id === result.id)?.name ?? "";
        return { type: "tool_result", name, output: "out", state: "success", ...result };
      }),
    }) as EventOf<"EXTERNAL_EXECUTION_RESULT">;
  }

  submit(
    results: readonly Partial<ToolResultBlock>[],
    rights: AnswerRights = APPROVER,
  ): Result<Answered> {
    const context = { rights, decided_by: APPROVED_BY };
    const event = this.submission(results);
    return this.#take(answerExternalCalls(this.log.state, event, context));
  }

  append(events: readonly EventDraft[]): void {
    this.log.append(events);
  }

  /** The types of the first `count` events, runs of the same delta as one. */
  typesOf(count: number): readonly string[] {
    const types = this.log.events.slice(0, count).map((event) => event.type);
    return types.filter((type, index) => !type.endsWith("_DELTA") || type !== types[index - 1]);
  }

  #take(answered: Result<Answered>): Result<Answered> {
    if (!answered.ok) return answered;
    this.log.append(answered.value.events);
    this.rules.push(...answered.value.rules);
    for (const [id, answer] of answered.value.answers) this.#answers.set(id, answer);
    return answered;
  }

  #journalOf(id: string): CallJournal | null {
    const asks = this.log.events.flatMap((event) =>
      event.type === "REQUIRE_USER_CONFIRM" ? [event.metadata["input_hashes"]] : [],
    );
    const hashes = Object.assign({}, ...asks) as Record<string, string>;
    const inputHash = hashes[id];
    if (inputHash === undefined) return null;
    return { inputHash, answer: this.#answers.get(id) ?? null };
  }
}

// The plans of a session without a session: calls of their tools, through the ability and its fold.
import { planAbility } from "../../agent/plans/plan-ability.ts";
import type { Settlement } from "../../agent/ability.ts";
import { checkCall, type PermissionSettings } from "../../agent/permission/check-call.ts";
import { PLAN_FOLD } from "../../agent/plans/plan-fold.ts";
import type { PlanState } from "../../agent/plans/plan-state.ts";
import { planUpdate } from "../../agent/plans/change-plan.ts";
import type { ToolDeclaration } from "../../agent/ports.ts";
import { startReplyState } from "../../agent/state/reply-state.ts";
import { readCallInput } from "../../agent/tool-call/call-input.ts";
import { PlanSettingsSchema, type PlanSettings } from "../../protocol/plans/contract.ts";
import { AgentEventSchema, type LoggedEvent } from "../../protocol/events.ts";
import type { Plan, PlanStepState } from "../../protocol/plans/plan.ts";

const NOW_MS = Date.parse("2026-11-23T12:00:00.000Z");
const START = { type: "REPLY_START", session_id: "ses_1", reply_id: "rep_1", name: "desk" };
const REPLY = startReplyState(
  AgentEventSchema.parse(START) as LoggedEvent & { type: "REPLY_START" },
);

export class PlanDesk {
  readonly now = new Date(NOW_MS).toISOString();
  state: PlanState = PLAN_FOLD.initial;
  readonly #settings: PlanSettings;
  readonly #ability;
  #seq = 0;
  /** The values of all changes, oldest first. */
  readonly changes: Readonly<Record<string, unknown>>[] = [];

  constructor(settings: Partial<PlanSettings> = {}) {
    this.#settings = PlanSettingsSchema.parse(settings);
    this.#ability = planAbility({
      settings: this.#settings,
      read: () => this.state,
      permissionContext: () => undefined,
      nowMs: () => NOW_MS,
    });
  }

  get plan(): Plan | null {
    return this.state.current;
  }

  get states(): readonly PlanStepState[] {
    return this.plan?.subtasks.map(({ state }) => state) ?? [];
  }

  get names(): readonly string[] {
    return this.plan?.subtasks.map(({ name }) => name) ?? [];
  }

  get hint(): string | null {
    return this.#ability.hint?.text(REPLY) ?? null;
  }

  get toolNames(): readonly string[] {
    return this.#tools.map(({ name }) => name);
  }

  /** A call that was allowed, or the text of one whose input does not fit. */
  call(name: string, input: object, id = "call_0"): Pick<Settlement, "text" | "isError"> {
    const call = toolCall(id, name, input);
    const read = readCallInput(call, this.#tool(name), { calls: 1 });
    if (!read.ok) return { text: read.text, isError: true };
    const tools = this.#ability.tools;
    if (tools?.kind !== "log") throw new Error("the plan's tools are settled in the log");
    const { text, isError, events = [] } = tools.settle({ call, input: read.input }, REPLY);
    for (const event of events) this.#append(event);
    this.#append({
      type: "TOOL_RESULT_END",
      reply_id: "rep_1",
      tool_call_id: id,
      state: "success",
    });
    return { text, isError };
  }

  check(name: string, input: object, settings: Partial<PermissionSettings> = {}) {
    const permission = {
      mode: "default",
      rules: [],
      working_directories: [],
      ...settings,
    } as const;
    return checkCall(permission, this.#tool(name), input);
  }

  /** A person is asked about a call. */
  ask(name: string, input: object, id: string): void {
    const { person } = this.check(name, input);
    this.#append({
      type: "REQUIRE_USER_CONFIRM",
      reply_id: "rep_1",
      tool_calls: [toolCall(id, name, input)],
      metadata: { ...(person && { acceptances: { [id]: person.about } }) },
    });
  }

  /** A person renames a step. */
  rename(index: number, name: string): void {
    const { plan } = this;
    if (!plan) throw new Error("there is no plan");
    const subtasks = plan.subtasks.map((step, at) => (at === index ? { ...step, name } : step));
    const context = { now: this.now, maxSubtasks: 100 };
    const made = planUpdate(this.state, { current: { ...plan, subtasks } }, context);
    if (!made.ok) throw new Error(made.problem);
    this.#append({ type: "CUSTOM", name: "state_updated", value: { plan: made.update } });
  }

  endReply(finished_reason: string): void {
    this.#append({ type: "REPLY_END", session_id: "ses_1", reply_id: "rep_1", finished_reason });
  }

  #append(draft: object): void {
    this.#seq += 1;
    const event = { ...AgentEventSchema.parse(draft), seq: this.#seq };
    if (event.type === "CUSTOM") this.changes.push(event.value);
    this.state = PLAN_FOLD.advance(this.state, event);
  }

  get #tools(): readonly ToolDeclaration[] {
    return this.#ability.tools?.kind === "log" ? this.#ability.tools.declare() : [];
  }

  #tool(name: string): ToolDeclaration {
    const tool = this.#tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    return tool;
  }
}

function toolCall(id: string, name: string, input: object) {
  return {
    type: "tool_call" as const,
    id,
    name,
    input: JSON.stringify(input),
    state: "allowed" as const,
    suggested_rules: [],
    created_at: "2026-11-23T12:00:00.000Z",
    finished_at: null,
  };
}

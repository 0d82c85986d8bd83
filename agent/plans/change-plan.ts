// Changes of plans, by whomever they are made: what a change leads to, its limits, and the value of its event.
import jsonPatch from "fast-json-patch";

import { MAX_PLAN_BYTES } from "../../protocol/plans/limits.ts";
import type { Plan, Subtask, SubtaskAcceptance } from "../../protocol/plans/plan.ts";
import type { PlanUpdate } from "../../protocol/plans/events.ts";
import type { PatchOperation } from "../../protocol/json-patch.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { PlanState } from "./plan-state.ts";

/** The plans after a call's or a person's change. */
export interface PlanChange {
  readonly current: Plan | null;
  /** Plans that go to the history, oldest first. */
  readonly archived?: readonly Plan[];
}

/** The context of an act on the plans. */
export interface PlanActContext {
  /** ISO 8601, UTC. */
  readonly now: string;
  readonly maxSubtasks: number;
}

/** The update that the change is, or what is wrong with the plan that it leads to. */
export function planUpdate(
  state: PlanState,
  { current, archived = [] }: PlanChange,
  { maxSubtasks }: PlanActContext,
): { readonly ok: true; readonly update: PlanUpdate } | { readonly ok: false; problem: string } {
  const before = state.current;
  const next = current && refreshed(current);
  const most = Math.max(maxSubtasks, before?.id === next?.id ? (before?.subtasks.length ?? 0) : 0);
  if (next && next.subtasks.length > most) {
    const problem = `a plan may have ${maxSubtasks} subtasks at most, this one would have ${next.subtasks.length}`;
    return { ok: false, problem };
  }
  if (next && utf8Bytes(JSON.stringify(next)) > MAX_PLAN_BYTES) {
    return { ok: false, problem: `a plan may take ${MAX_PLAN_BYTES} bytes as JSON at most` };
  }
  const isSame = next !== null && before?.id === next.id;
  const patch = isSame ? (jsonPatch.compare(before, next) as readonly PatchOperation[]) : null;
  return { ok: true, update: { version: state.version + 1, current: next, archived, patch } };
}

/** The state of an open plan follows from its subtasks, after each change alike. */
function refreshed(plan: Plan): Plan {
  const isBegun = plan.subtasks.some(({ state }) => state === "in_progress" || state === "done");
  return { ...plan, state: isBegun ? "in_progress" : "todo" };
}

/** The plan as part of the history. */
export function closedPlan(
  plan: Plan,
  state: "done" | "abandoned",
  { now, outcome }: { readonly now: string; readonly outcome: string | null },
): Plan {
  return { ...plan, state, outcome, finished_at: now };
}

/** The open plan that another one takes the place of: in the history it is abandoned. */
export function replacedPlan({ current }: PlanState, now: string): readonly Plan[] {
  return current ? [closedPlan(current, "abandoned", { now, outcome: null })] : [];
}

/** A plan of the history, open again. */
export function reopenedPlan(plan: Plan): Plan {
  return refreshed({ ...plan, outcome: null, finished_at: null });
}

/** An id that no plan of the session has. */
function newPlanId({ version, current, history }: PlanState): string {
  const taken = new Set([...history, ...(current ? [current] : [])].map(({ id }) => id));
  let number = version + 1;
  while (taken.has(`plan_${number}`)) number += 1;
  return `plan_${number}`;
}

/** Members of a new plan that are given. */
export type PlanHead = Pick<Plan, "name" | "description" | "expected_outcome">;

export function newPlan(state: PlanState, head: PlanHead, now: string): Plan {
  const { name, description, expected_outcome } = head;
  return {
    id: newPlanId(state),
    name,
    description,
    expected_outcome,
    state: "todo",
    created_at: now,
    finished_at: null,
    outcome: null,
    last_subtask: 0,
    subtasks: [],
  };
}

/** Members of a new subtask that are given; the platform sets the others. */
export interface NewSubtask extends PlanHead {
  readonly acceptance?: Pick<SubtaskAcceptance, "kind" | "criteria"> | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

/** The plan with a new subtask in front of the one at `index`. */
export function withSubtask(plan: Plan, given: NewSubtask, index: number, now: string): Plan {
  const last_subtask = plan.last_subtask + 1;
  const { name, description, expected_outcome, acceptance, metadata } = given;
  const subtask: Subtask = {
    id: String(last_subtask),
    name,
    description,
    expected_outcome,
    state: "todo",
    outcome: null,
    acceptance: openAcceptance(acceptance ?? null),
    created_at: now,
    finished_at: null,
    owner: null,
    blocks: [],
    blocked_by: [],
    metadata: metadata ?? {},
  };
  return {
    ...plan,
    last_subtask,
    subtasks: [...plan.subtasks.slice(0, index), subtask, ...plan.subtasks.slice(index)],
  };
}

export function openAcceptance(
  given: Pick<SubtaskAcceptance, "kind" | "criteria"> | null,
): SubtaskAcceptance | null {
  return given && { kind: given.kind, criteria: given.criteria, state: "open" };
}

export function withSubtaskAt(plan: Plan, index: number, subtask: Subtask): Plan {
  return { ...plan, subtasks: plan.subtasks.map((other, at) => (at === index ? subtask : other)) };
}

/** Without the subtask, also in what the others say of it. */
export function withoutSubtask(plan: Plan, index: number): Plan {
  const id = plan.subtasks[index]?.id;
  const isOther = (other: string): boolean => other !== id;
  const rest = plan.subtasks.filter((_, at) => at !== index);
  const subtasks = rest.map((subtask) => ({
    ...subtask,
    blocks: subtask.blocks.filter(isOther),
    blocked_by: subtask.blocked_by.filter(isOther),
  }));
  return { ...plan, subtasks };
}

export function isOpen({ state }: Pick<Subtask, "state">): boolean {
  return state === "todo" || state === "in_progress";
}

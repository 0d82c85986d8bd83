// A plan as people write it: given up front, changed, recovered or taken away.
import { refuse, accept, type Result } from "../../protocol/errors.ts";
import type { PlanInput, PlanSettings, SubtaskInput } from "../../protocol/plans/contract.ts";
import type { Plan, Subtask, SubtaskAcceptance } from "../../protocol/plans/plan.ts";
import { isSameJson } from "../json/is-same-json.ts";
import {
  newPlan,
  openAcceptance,
  reopenedPlan,
  replacedPlan,
  type PlanChange,
} from "./change-plan.ts";
import type { PlanState } from "./plan-state.ts";

/** @returns Null when nothing changes; `validation_failed` with the pointer of what is wrong. */
export function writtenPlan(
  state: PlanState,
  input: PlanInput | null,
  { settings, now }: { readonly settings: PlanSettings; readonly now: string },
): Result<PlanChange | null> {
  const { current: before, history } = state;
  if (!input) {
    return accept(before ? { current: null, archived: replacedPlan(state, now) } : null);
  }
  const { id, name, description, expected_outcome } = input;
  const earlier = history.find((plan) => plan.id === id);
  const isCurrent = id !== undefined && before?.id === id;
  if (id !== undefined && !isCurrent && !earlier) {
    return wrong("#/plan/id", `the session has no plan ${id}; a new one is made without an id`);
  }
  const head = { name, description, expected_outcome };
  const found = isCurrent ? before : earlier && reopenedPlan(earlier);
  const base = found ?? newPlan(state, head, now);
  const subtasks = writtenSubtasks(base, input.subtasks, now);
  if (!subtasks.ok) return subtasks;
  const problem = findProblem(subtasks.value, settings);
  if (problem) return problem;
  const numbers = subtasks.value.map((subtask) => numberOf(subtask.id));
  const last_subtask = Math.max(base.last_subtask, ...numbers);
  const current = { ...base, ...head, last_subtask, subtasks: subtasks.value };
  if (isCurrent) return accept(isSameJson(before, current) ? null : { current });
  return accept({ current, archived: replacedPlan(state, now) });
}

function wrong(pointer: string, detail: string): Result<never> {
  return refuse("validation_failed", detail, { errors: [{ pointer, detail }] });
}

function at(index: number, member: string): string {
  return `#/plan/subtasks/${index}/${member}`;
}

/** The subtasks in their new order. One with an id that the plan has is that one; the others are new. */
function writtenSubtasks(
  base: Plan,
  given: readonly SubtaskInput[],
  now: string,
): Result<readonly Subtask[]> {
  const known = new Map(base.subtasks.map((subtask) => [subtask.id, subtask]));
  const taken = new Set(given.map(({ id }) => id));
  let last = Math.max(base.last_subtask, ...given.map(({ id }) => numberOf(id ?? "")));
  const subtasks: Subtask[] = [];
  for (const [index, input] of given.entries()) {
    const { id } = input;
    const before = id === undefined ? undefined : known.get(id);
    if (id !== undefined && subtasks.some((subtask) => subtask.id === id)) {
      return wrong(at(index, "id"), `two subtasks have the id ${id}`);
    }
    if (id !== undefined && !before && /^\d+$/.test(id) && Number(id) <= base.last_subtask) {
      return wrong(at(index, "id"), `the plan has no subtask ${id} any more`);
    }
    let own = id;
    while (own === undefined) {
      last += 1;
      own = taken.has(String(last)) ? undefined : String(last);
    }
    subtasks.push(writtenSubtask(own, input, before, now));
  }
  return accept(subtasks);
}

/** 0 for an id that is no number, or one that the platform would never give. */
function numberOf(id: string): number {
  return /^\d{1,9}$/.test(id) ? Number(id) : 0;
}

function writtenSubtask(
  id: string,
  input: SubtaskInput,
  before: Subtask | undefined,
  now: string,
): Subtask {
  const { name, description, expected_outcome, state, owner, blocks, blocked_by, metadata } = input;
  const isOver = state === "done" || state === "abandoned";
  const ended = before?.state === state ? before.finished_at : now;
  return {
    id,
    name,
    description,
    expected_outcome,
    state,
    outcome: state === "done" ? input.outcome : null,
    acceptance: writtenAcceptance(input, before),
    created_at: before?.created_at ?? now,
    finished_at: isOver ? ended : null,
    owner,
    blocks,
    blocked_by,
    metadata,
  };
}

/** A step that a person sets to `done` is accepted by them. */
function writtenAcceptance(
  { acceptance: given, state }: SubtaskInput,
  before: Subtask | undefined,
): SubtaskAcceptance | null {
  const next = openAcceptance(given);
  if (!next) return null;
  if (state === "done") return { ...next, state: "accepted" };
  const kept = before?.state === state ? before.acceptance : null;
  return kept?.kind === next.kind && kept.criteria === next.criteria ? kept : next;
}

function findProblem(
  subtasks: readonly Subtask[],
  { tools, max_subtasks }: PlanSettings,
): Result<never> | null {
  if (max_subtasks !== null && subtasks.length > max_subtasks) {
    const detail = `the agent's plans may have ${max_subtasks} subtasks at most`;
    return wrong("#/plan/subtasks", detail);
  }
  const ids = new Set(subtasks.map(({ id }) => id));
  let running: number | null = null;
  for (const [index, { id, state, blocks, blocked_by }] of subtasks.entries()) {
    for (const [member, links] of Object.entries({ blocks, blocked_by })) {
      const lost = links.find((link) => link === id || !ids.has(link));
      if (lost !== undefined) {
        return wrong(at(index, member), `${lost} is not the id of another subtask of the plan`);
      }
    }
    if (state !== "in_progress" || tools === "tasks") continue;
    if (running !== null) {
      const detail = `subtask ${running} is in_progress already: they are done one after the other`;
      return wrong(at(index, "state"), detail);
    }
    running = index;
  }
  return null;
}

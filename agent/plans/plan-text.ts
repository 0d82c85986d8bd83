// Plans as text for a model, in AgentScope's Markdown.
import type { Plan, PlanStepState, Subtask } from "../../protocol/plans/plan.ts";
import type { PlanTools } from "../../protocol/plans/events.ts";

const MARKS: Readonly<Record<PlanStepState, string>> = {
  todo: "- [ ] ",
  in_progress: "- [ ] [WIP]",
  done: "- [x] ",
  abandoned: "- [ ] [Abandoned]",
};

/** The head of a plan, and a line for each subtask; those of tasks have their ids, by which their tools know them. */
export function describePlan(plan: Plan, tools: PlanTools = "notebook"): string {
  const { name, description, expected_outcome, state, subtasks } = plan;
  return [
    `# ${name}`,
    ...(description === "" ? [] : [`**Description**: ${description}`]),
    ...(expected_outcome === "" ? [] : [`**Expected Outcome**: ${expected_outcome}`]),
    `**State**: ${state}`,
    "## Subtasks",
    ...subtasks.map((subtask) =>
      tools === "tasks" ? describeTask(subtask) : `${MARKS[subtask.state]}${subtask.name}`,
    ),
  ].join("\n");
}

/** All of a subtask. */
export function describeSubtask(subtask: Subtask): string {
  const { name, description, expected_outcome, state, outcome, acceptance } = subtask;
  const judge = acceptance?.kind === "person" ? "a person decides" : "you decide";
  return [
    `${MARKS[state]}${name}`,
    `\t- Description: ${description}`,
    `\t- Expected Outcome: ${expected_outcome}`,
    `\t- State: ${state}`,
    ...(outcome === null ? [] : [`\t- Actual Outcome: ${outcome}`]),
    ...(acceptance ? [`\t- Acceptance (${judge}): ${acceptance.criteria}`] : []),
  ].join("\n");
}

/** A task as the tools of AgentScope 2 list it. */
export function describeTask({ id, name, state, blocked_by }: Subtask): string {
  const blocked = blocked_by.length === 0 ? "" : ` (blocked by ${blocked_by.join(", ")})`;
  return `${MARKS[state]}${id}. ${name}${blocked}`;
}

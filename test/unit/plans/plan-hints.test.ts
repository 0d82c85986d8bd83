// Hints about a plan in each case, and the way of a plan through AgentScope's tasks_context.
import { describe, expect, it } from "vitest";

import { adoptPlans, plansWithTasks } from "../../../agent/plans/adopt-plans.ts";
import { subtaskOf, taskOf, tasksOf } from "../../../agent/plans/tasks-context.ts";
import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { PlanDesk } from "../../support/plan-desk.ts";

const AGENT = AgentCreateSchema.parse({ name: "Planner", plan: { max_subtasks: 3 } });

function step(name: string, more: object = {}): object {
  return { name, description: "d", expected_outcome: "o", ...more };
}

function planned(settings: ConstructorParameters<typeof PlanDesk>[0] = {}): PlanDesk {
  const desk = new PlanDesk(settings);
  const subtasks = [
    step("find", { acceptance: { kind: "model", criteria: "ten" } }),
    step("write"),
  ];
  const plan = { name: "Research", description: "", expected_outcome: "A report", subtasks };
  desk.call("create_plan", plan);
  return desk;
}

function setState(desk: PlanDesk, subtask_idx: number, state: string): void {
  desk.call("update_subtask_state", { subtask_idx, state });
}

describe("the hint", () => {
  const marks = {
    no_plan: "none: {plan}",
    at_the_beginning: "beginning {index}",
    when_a_subtask_in_progress: "in progress {subtask_idx} {subtask_name} then {index}",
    when_no_subtask_in_progress: "between {index}",
    at_the_end: "end {index}{{}}",
  };

  it("is that of the first case that applies", () => {
    expect(new PlanDesk({ hint_template: marks }).hint).toBe("none: There is no plan.");
    const desk = planned({ hint_template: marks });
    expect(desk.hint).toBe("beginning 0");
    setState(desk, 0, "in_progress");
    expect(desk.hint).toBe("in progress 0 find then 1");
    setState(desk, 0, "abandoned");
    expect(desk.hint).toBe("beginning 1");
    desk.call("finish_subtask", { subtask_idx: 1, subtask_outcome: "x" });
    expect(desk.hint).toBe("end {}");
    setState(desk, 0, "todo");
    expect(desk.hint).toBe("between 0");
    setState(desk, 1, "abandoned");
    setState(desk, 0, "abandoned");
    // Upstream takes a plan of abandoned steps for one that was not begun.
    expect(desk.hint).toBe("end {}");
  });

  it("is left out where its template is null, and the platform's where there is none", () => {
    const desk = planned({ hint_template: { at_the_beginning: null } });
    expect(desk.hint).toBeNull();
    setState(desk, 0, "in_progress");
    expect(desk.hint).toContain("<system-hint>The current plan:\n# Research\n**Expected Outcome**");
    expect(desk.hint).toContain("- [ ] [WIP]find\n- [ ] write");
    expect(desk.hint).toContain("\t- Acceptance (you decide): ten");
  });

  it("is one text for all cases where the agent has one", () => {
    const desk = new PlanDesk({ hint_template: "Plan: {plan}" });
    expect(desk.hint).toBe("Plan: There is no plan.");
  });

  it("names tasks by the ids that their tools take", () => {
    const desk = new PlanDesk({ tools: "tasks" });
    expect(desk.hint).toContain("TaskCreate");
    desk.call("TaskCreate", { subject: "find", description: "d" });
    expect(desk.hint).toContain("- [ ] 1. find");
    desk.call("TaskUpdate", { task_id: "1", status: "completed" });
    expect(desk.hint).toContain("All of them are completed.");
  });
});

describe("tasks_context", () => {
  it("has all of a subtask, so that the way back gives it again", () => {
    const desk = planned();
    const finish = { subtask_idx: 0, subtask_outcome: "x" };
    desk.call("finish_subtask", finish);
    desk.call("finish_subtask", finish);
    setState(desk, 1, "abandoned");
    const subtasks = desk.plan?.subtasks ?? [];

    expect(subtasks.map(({ state }) => state)).toEqual(["done", "abandoned"]);
    expect(subtasks.map(taskOf)).toMatchObject([
      { subject: "find", state: "completed", metadata: { plan: { outcome: "x" } } },
      { subject: "write", state: "completed", metadata: { plan: { state: "abandoned" } } },
    ]);
    expect(subtasks.map((each) => subtaskOf(taskOf(each), "2020-01-01T00:00:00.000Z"))).toEqual(
      subtasks,
    );
  });

  it.each([
    ["a task as AgentScope makes it", { subject: "a", id: "7", state: "pending" }, true],
    [
      "a local time",
      { subject: "a", id: "7", state: "pending", created_at: "2026-01-01 10:00:00" },
      true,
    ],
    ["no subject", { id: "7", state: "pending" }, false],
    ["an unknown state", { subject: "a", id: "7", state: "stuck" }, false],
    ["no object", "a", false],
    ["null", null, false],
    ["metadata of another kind", { subject: "a", id: "7", metadata: 3 }, false],
  ])("takes %s or leaves it", (_, task, isTaken) => {
    expect(subtaskOf(task, "2026-01-01T00:00:00.000Z") !== null).toBe(isTaken);
  });

  it("becomes a plan of its own, or changes the one that comes with it", () => {
    const desk = planned();
    const options = { agent: AGENT, now: desk.now };
    const tasks = tasksOf(desk.plan);
    const done = tasks.map((task) => ({ ...task, state: "completed" }));

    expect(plansWithTasks(null, tasks, options)).toMatchObject({
      version: 1,
      current: { name: "Tasks", state: "todo", last_subtask: 2, subtasks: [{ name: "find" }, {}] },
    });
    const kept = adoptPlans(desk.state, AGENT);
    expect(plansWithTasks(kept, tasks, options)).toEqual(kept);
    expect(plansWithTasks(kept, done, options)).toMatchObject({
      current: {
        id: "plan_1",
        name: "Research",
        state: "in_progress",
        subtasks: [{ state: "done" }, {}],
      },
    });
    expect(plansWithTasks(kept, [...tasks, "x"], options)).toEqual(kept);
    expect(plansWithTasks(null, [], options)).toBeNull();
    expect(plansWithTasks(null, undefined, options)).toBeNull();
    const many = Array.from({ length: 4 }, (_, index) => ({ ...tasks[0], id: String(index) }));
    expect(plansWithTasks(null, many, options)).toBeNull();
  });
});

describe("plans of another session", () => {
  it("come without what people are asked there", () => {
    const desk = new PlanDesk();
    const acceptance = { kind: "person", criteria: "ten" };
    desk.call("create_plan", { ...step("Research"), subtasks: [step("find", { acceptance })] });
    desk.ask("finish_subtask", { subtask_idx: 0, subtask_outcome: "x" }, "call_1");

    expect(Object.keys(desk.state.asked)).toEqual(["call_1"]);
    expect(adoptPlans(desk.state)).toEqual({ ...desk.state, asked: {} });
    const far = { ...desk.state, version: Number.MAX_SAFE_INTEGER };
    expect(adoptPlans(far, AGENT)?.version).toBe(1_000_000_000);
  });

  it.each([
    ["no state", null],
    ["another shape", { version: 1, current: { name: "x" }, history: [], is_suspended: false }],
    ["no version", { current: null, history: [], is_suspended: false }],
  ])("are left out when they are %s", (_, snapshot) => {
    expect(adoptPlans(snapshot, AGENT)).toBeNull();
  });
});

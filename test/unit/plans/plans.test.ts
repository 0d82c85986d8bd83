// The plans as their tools make them: the rules of the notebook and of the tasks, and what was mended of AgentScope's.
import { describe, expect, it } from "vitest";

import { MAX_LISTED_SUBTASKS, MAX_PLAN_BYTES } from "../../../protocol/plans/limits.ts";
import { NOTEBOOK_TOOLS, TASK_TOOLS } from "../../../protocol/plans/events.ts";
import { PlanDesk } from "../../support/plan-desk.ts";

const PLAN = {
  name: "Research",
  description: "On agents",
  expected_outcome: "A report",
  subtasks: ["find", "read", "write"].map((name) => ({
    name,
    description: `${name} it`,
    expected_outcome: `${name} done`,
  })),
};

function planned(): PlanDesk {
  const desk = new PlanDesk();
  desk.call("create_plan", PLAN);
  return desk;
}

describe("the notebook", () => {
  it("offers AgentScope's tools in its order", () => {
    expect(new PlanDesk().toolNames).toEqual(NOTEBOOK_TOOLS);
    expect(new PlanDesk({ tools: "tasks" }).toolNames).toEqual(TASK_TOOLS);
  });

  it("makes a plan, of which a model sets neither states nor times", () => {
    const desk = new PlanDesk();
    const [first] = PLAN.subtasks;
    const cheat = { ...first, state: "done", outcome: "x", created_at: "1999", id: "9" };
    desk.call("create_plan", { ...PLAN, subtasks: [cheat] });

    expect(desk.state).toMatchObject({ version: 1, history: [] });
    expect(desk.plan).toMatchObject({ id: "plan_1", name: "Research", state: "todo" });
    expect(desk.plan?.subtasks).toEqual([
      {
        id: "1",
        name: "find",
        description: "find it",
        expected_outcome: "find done",
        state: "todo",
        outcome: null,
        acceptance: null,
        created_at: desk.now,
        finished_at: null,
        owner: null,
        blocks: [],
        blocked_by: [],
        metadata: {},
      },
    ]);
  });

  it("works on one step at a time, in their order", () => {
    const desk = planned();
    const begin = (subtask_idx: number) =>
      desk.call("update_subtask_state", { subtask_idx, state: "in_progress" });

    expect(begin(1)).toMatchObject({
      isError: true,
      text: 'Subtask 0 ("find") is todo: it has to be done or abandoned before subtask 1.',
    });
    expect(begin(0)).toMatchObject({ text: 'Subtask 0 ("find") is in_progress now.' });
    expect(begin(0)).toMatchObject({
      isError: true,
      text: 'Subtask 0 ("find") is in_progress: finish it first.',
    });
    expect(begin(7)).toMatchObject({
      isError: true,
      text: "The plan has no subtask 7: they are 0 to 2.",
    });
    expect(desk.plan?.state).toBe("in_progress");
  });

  it("begins the next step that is left when one is finished, and wakes no abandoned one", () => {
    const desk = planned();
    desk.call("update_subtask_state", { subtask_idx: 1, state: "abandoned" });
    const done = desk.call("finish_subtask", { subtask_idx: 0, subtask_outcome: "three papers" });

    expect(done.text).toBe('Subtask 0 ("find") is done. Subtask 2 ("write") is in_progress now.');
    expect(desk.states).toEqual(["done", "abandoned", "in_progress"]);
    expect(desk.plan?.subtasks[0]).toMatchObject({
      outcome: "three papers",
      finished_at: desk.now,
    });
    expect(desk.plan?.state).toBe("in_progress");
  });

  it("finishes nothing twice, nothing out of order and nothing that was abandoned", () => {
    const desk = planned();
    const finish = (subtask_idx: number) =>
      desk.call("finish_subtask", { subtask_idx, subtask_outcome: "x" });
    expect(finish(1).isError).toBe(true);
    desk.call("update_subtask_state", { subtask_idx: 0, state: "abandoned" });
    expect(finish(0)).toMatchObject({
      isError: true,
      text: 'Subtask 0 ("find") is abandoned already. To work on it again, set its state first.',
    });
    expect(finish(1).isError).toBeUndefined();
    expect(finish(1).isError).toBe(true);
    expect(desk.states).toEqual(["abandoned", "done", "in_progress"]);
  });

  it("forgets the outcome of a step that is open again, and has the plan's state follow", () => {
    const desk = planned();
    desk.call("finish_subtask", { subtask_idx: 0, subtask_outcome: "x" });
    desk.call("update_subtask_state", { subtask_idx: 1, state: "todo" });
    desk.call("update_subtask_state", { subtask_idx: 0, state: "todo" });

    expect(desk.plan?.subtasks[0]).toMatchObject({
      state: "todo",
      outcome: null,
      finished_at: null,
    });
    expect(desk.plan?.state).toBe("todo");
  });

  it("shows the steps that are there and names those that are not", () => {
    const { text } = planned().call("view_subtasks", { subtask_idx: [1, 5] });

    expect(text).toBe(
      "Subtask 1:\n- [ ] read\n\t- Description: read it\n\t- Expected Outcome: read done\n\t- State: todo\n\nThe plan has no subtask 5: they are 0 to 2.",
    );
  });

  it("is revised by adding, revising and deleting, at places that are there", () => {
    const desk = planned();
    const revise = (input: object) => desk.call("revise_current_plan", input);
    const subtask = { name: "new", description: "d", expected_outcome: "o" };

    expect(revise({ subtask_idx: 3, action: "add", subtask }).isError).toBeUndefined();
    expect(revise({ subtask_idx: 0, action: "add", subtask }).isError).toBeUndefined();
    expect(revise({ subtask_idx: 6, action: "add", subtask }).text).toBe(
      "A subtask can be added at 0 to 5, not at 6.",
    );
    expect(revise({ subtask_idx: 1, action: "revise" }).text).toBe("To revise a subtask, give it.");
    revise({ subtask_idx: 1, action: "revise", subtask: { ...subtask, name: "seek" } });
    revise({ subtask_idx: 2, action: "delete" });
    expect(desk.names).toEqual(["new", "seek", "write", "new"]);
    expect(desk.plan?.subtasks.map(({ id }) => id)).toEqual(["5", "1", "3", "4"]);
  });

  it("takes no negative index", () => {
    const desk = planned();
    const { text } = desk.call("revise_current_plan", { subtask_idx: -1, action: "delete" });

    expect(text).toContain("The input of revise_current_plan");
    expect(desk.names).toEqual(["find", "read", "write"]);
  });

  it("does not change what was done into something else", () => {
    const desk = planned();
    desk.call("finish_subtask", { subtask_idx: 0, subtask_outcome: "x" });
    const subtask = { name: "other", description: "d", expected_outcome: "o" };
    const revised = desk.call("revise_current_plan", { subtask_idx: 0, action: "revise", subtask });

    expect(revised.isError).toBe(true);
    expect(desk.names).toEqual(["find", "read", "write"]);
  });

  it("is done when its steps are, and may be given up at any time", () => {
    const desk = planned();
    expect(desk.call("finish_plan", { state: "done", outcome: "all" })).toMatchObject({
      isError: true,
      text: 'Subtask 0 ("find") is neither done nor abandoned, so the plan is not done.',
    });
    desk.call("finish_plan", { state: "abandoned", outcome: "no need" });
    expect(desk.plan).toBeNull();
    expect(desk.state.history).toMatchObject([
      { id: "plan_1", state: "abandoned", outcome: "no need", finished_at: desk.now },
    ]);
    expect(desk.call("finish_plan", { state: "done", outcome: "x" }).text).toBe(
      "There is no plan to finish.",
    );
    expect(desk.call("view_subtasks", { subtask_idx: [0] })).toMatchObject({
      isError: true,
      text: "There is no plan. Call create_plan first.",
    });
  });

  it("keeps a plan that another one replaced", () => {
    const desk = planned();
    desk.call("create_plan", { ...PLAN, name: "Second" });

    expect(desk.plan).toMatchObject({ id: "plan_2", name: "Second" });
    expect(desk.state.history).toMatchObject([{ id: "plan_1", state: "abandoned" }]);
    expect(desk.call("view_historical_plans", {}).text).toBe(
      `Plan "Research"\n- id: plan_1\n- created at: ${desk.now}\n- description: On agents\n- state: abandoned`,
    );
  });

  it("recovers an earlier plan, which is open again and no longer among the earlier ones", () => {
    const desk = planned();
    desk.call("finish_subtask", { subtask_idx: 0, subtask_outcome: "x" });
    desk.call("create_plan", { ...PLAN, name: "Second" });
    const { text } = desk.call("recover_historical_plan", { plan_id: "plan_1" });

    expect(text).toContain('The plan "Second" (plan_3) was abandoned.');
    expect(desk.plan).toMatchObject({ id: "plan_1", state: "in_progress", finished_at: null });
    expect(desk.states).toEqual(["done", "in_progress", "todo"]);
    expect(desk.state.history.map(({ id }) => id)).toEqual(["plan_3"]);
    expect(desk.call("recover_historical_plan", { plan_id: "plan_1" }).isError).toBe(true);
  });

  it("has at most as many steps as the agent allows, however they come", () => {
    const desk = new PlanDesk({ max_subtasks: 2 });
    expect(desk.call("create_plan", PLAN)).toMatchObject({
      isError: true,
      text: "Nothing was changed: a plan may have 2 subtasks at most, this one would have 3.",
    });
    desk.call("create_plan", { ...PLAN, subtasks: PLAN.subtasks.slice(1) });
    const add = { subtask_idx: 0, action: "add", subtask: PLAN.subtasks[0] };
    expect(desk.call("revise_current_plan", add).isError).toBe(true);
    expect(desk.names).toEqual(["read", "write"]);
  });

  it("has as many steps as fit into its bytes where the agent sets no number", () => {
    const desk = new PlanDesk({ max_subtasks: null });
    const step = { name: "a", description: "", expected_outcome: "" };
    const steps = (count: number) => ({ ...PLAN, subtasks: Array(count).fill(step) });
    expect(desk.call("create_plan", steps(130)).isError).not.toBe(true);
    expect(desk.names).toHaveLength(130);
    expect(desk.call("create_plan", steps(MAX_LISTED_SUBTASKS)).text).toBe(
      `Nothing was changed: a plan may take ${MAX_PLAN_BYTES} bytes as JSON at most.`,
    );
  });

  it("has a size", () => {
    const desk = new PlanDesk();
    const description = "x".repeat(4_000);
    const subtasks = Array.from({ length: 12 }, () => ({ ...PLAN.subtasks[0], description }));

    expect(desk.call("create_plan", { ...PLAN, subtasks }).text).toBe(
      `Nothing was changed: a plan may take ${MAX_PLAN_BYTES} bytes as JSON at most.`,
    );
  });

  it("keeps the newest twenty of earlier plans", () => {
    const desk = new PlanDesk();
    for (let count = 0; count < 24; count += 1) desk.call("create_plan", PLAN);

    expect(desk.state.history.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => `plan_${index + 4}`),
    );
  });

  it("is suspended by an interrupt, and goes on with the step that was in progress", () => {
    const desk = planned();
    const begin = { subtask_idx: 0, state: "in_progress" };
    desk.call("update_subtask_state", begin);
    desk.endReply("completed");
    expect(desk.state.is_suspended).toBe(false);
    desk.endReply("interrupted");
    expect(desk.state.is_suspended).toBe(true);
    expect(desk.hint).toContain("The user interrupted the last reply, so the plan is suspended");
    expect(desk.call("update_subtask_state", begin).isError).toBeUndefined();
    expect(desk.state.is_suspended).toBe(false);
    expect(desk.hint).not.toContain("suspended");
  });
});

describe("the acceptance of a step", () => {
  const withAcceptance = (kind: string) => {
    const desk = new PlanDesk();
    const [first, ...rest] = PLAN.subtasks;
    const subtasks = [{ ...first, acceptance: { kind, criteria: "ten papers" } }, ...rest];
    desk.call("create_plan", { ...PLAN, subtasks });
    return desk;
  };
  const finish = { subtask_idx: 0, subtask_outcome: "x" };

  it("by the model has it compare the outcome with the criteria once", () => {
    const desk = withAcceptance("model");
    const first = desk.call("finish_subtask", finish);

    expect(first.text).toContain("Compare its outcome with the criteria: ten papers");
    expect(desk.states[0]).toBe("todo");
    expect(desk.plan?.subtasks[0]?.acceptance?.state).toBe("reviewing");
    desk.call("finish_subtask", finish);
    expect(desk.states[0]).toBe("done");
    expect(desk.plan?.subtasks[0]?.acceptance?.state).toBe("accepted");
    desk.call("update_subtask_state", { subtask_idx: 0, state: "todo" });
    expect(desk.plan?.subtasks[0]?.acceptance?.state).toBe("open");
  });

  it("by a person asks them, whatever rules and modes allow", () => {
    const desk = withAcceptance("person");
    const allow = {
      tool_name: "finish_subtask",
      rule_content: null,
      behavior: "allow",
      source: "x",
    } as const;

    for (const mode of ["default", "bypass", "accept_edits", "explore"] as const) {
      expect(desk.check("finish_subtask", finish, { mode, rules: [allow] })).toMatchObject({
        behavior: "ask",
        reason: "A person has to accept this step of the plan.",
        suggestedRules: [],
        person: { question: 'Accept the step "find" as done? Criteria: ten papers' },
      });
    }
    expect(desk.check("finish_subtask", finish, { mode: "dont_ask" }).behavior).toBe("deny");
    const deny = { ...allow, behavior: "deny" } as const;
    expect(desk.check("finish_subtask", finish, { rules: [deny] }).behavior).toBe("deny");
    expect(desk.check("finish_subtask", { ...finish, subtask_idx: 1 }).behavior).toBe("allow");
  });

  it("by a person counts for the step as it was shown", () => {
    const desk = withAcceptance("person");
    expect(desk.call("finish_subtask", finish)).toMatchObject({ isError: true });
    desk.ask("finish_subtask", finish, "call_1");
    desk.rename(0, "find more");
    expect(desk.call("finish_subtask", finish, "call_1")).toMatchObject({
      isError: true,
      text: expect.stringContaining("was changed while a person was asked") as string,
    });
    desk.ask("finish_subtask", finish, "call_2");
    expect(desk.call("finish_subtask", finish, "call_2").isError).toBeUndefined();
    expect(desk.states[0]).toBe("done");
    expect(desk.state.asked).toEqual({});
  });

  it("stays with a step that the model revises, and keeps it from being deleted", () => {
    const desk = withAcceptance("person");
    const subtask = { name: "other", description: "d", expected_outcome: "o" };
    desk.call("revise_current_plan", { subtask_idx: 0, action: "revise", subtask });

    expect(desk.plan?.subtasks[0]).toMatchObject({
      name: "other",
      acceptance: { kind: "person", criteria: "ten papers", state: "open" },
    });
    expect(desk.call("revise_current_plan", { subtask_idx: 0, action: "delete" }).isError).toBe(
      true,
    );
  });
});

describe("tasks", () => {
  const listed = () => {
    const desk = new PlanDesk({ tools: "tasks" });
    for (const subject of ["find", "read"]) desk.call("TaskCreate", { subject, description: "d" });
    return desk;
  };

  it("are made, listed, shown and changed in any order", () => {
    const desk = listed();
    desk.call("TaskUpdate", { task_id: "2", status: "in_progress", owner: "Ann" });
    desk.call("TaskUpdate", { task_id: "1", status: "in_progress", metadata: { a: 1, plan: 2 } });
    desk.call("TaskUpdate", { task_id: "1", status: "completed", metadata: { a: null, b: 2 } });
    desk.call("TaskUpdate", { task_id: "2", add_blocked_by: ["1", "9", "2"] });

    expect(desk.call("TaskList", {}).text).toBe("- [x] 1. find\n- [ ] [WIP]2. read (blocked by 1)");
    expect(JSON.parse(desk.call("TaskGet", { task_id: "1" }).text)).toEqual({
      subject: "find",
      description: "d",
      metadata: { b: 2, plan: { finished_at: desk.now } },
      created_at: desk.now,
      state: "completed",
      id: "1",
      owner: null,
      blocks: ["2"],
      blocked_by: [],
    });
    expect(desk.plan).toMatchObject({ name: "Tasks", state: "in_progress" });
  });

  it("are deleted, also from what others say of them, and their ids are not given again", () => {
    const desk = listed();
    desk.call("TaskUpdate", { task_id: "1", add_blocked_by: ["2"] });
    desk.call("TaskUpdate", { task_id: "2", status: "deleted" });
    desk.call("TaskCreate", { subject: "more", description: "" });

    expect(desk.plan?.subtasks.map(({ id, blocked_by }) => [id, blocked_by])).toEqual([
      ["1", []],
      ["3", []],
    ]);
    expect(desk.call("TaskGet", { task_id: "2" })).toMatchObject({ isError: true });
  });

  it("change nothing when nothing changes", () => {
    const desk = listed();
    const { version } = desk.state;

    expect(desk.call("TaskUpdate", { task_id: "1", status: "pending" }).text).toBe(
      "Task 1 is so already.",
    );
    expect(desk.state.version).toBe(version);
  });
});

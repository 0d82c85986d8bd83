// AgentScope's example of a plan, over HTTP with the embedded model: given up front, made by the agent, followed by a page,
// accepted by a person.
import { beforeAll, describe, expect, it } from "vitest";

import type { SessionPlan } from "../../../protocol/plans/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { StateUpdatedValue } from "../../../protocol/plans/events.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";

const REPORT =
  "A Markdown report answering: 1. What's an agent? 2. What's the current state of the art? 3. What's the future trend?";

/** The example of AgentScope's documentation. */
const PLAN = {
  name: "Research on Agent",
  description: "Conduct a comprehensive research on the LLM-empowered agent.",
  expected_outcome: REPORT,
  subtasks: [
    {
      name: "Search agent-related survey papers",
      description:
        "Search multiple sources including Google Scholar, arXiv, and Semantic Scholar. Must be published after 2021 with more than 50 citations.",
      expected_outcome: "A paper list in Markdown format",
    },
    {
      name: "Read and summarize the papers",
      description:
        "Read the papers and summarize key points: definition, taxonomy, challenges, and key directions.",
      expected_outcome: "A summary of key points in Markdown format",
    },
    {
      name: "Research recent advances of large companies",
      description:
        "Research recent advances from Google, Microsoft, OpenAI, Anthropic, Alibaba, and Meta via official blogs or news articles.",
      expected_outcome: "A recent advances summary in Markdown format",
    },
    {
      name: "Write a report",
      description: "Write a report based on all previous steps.",
      expected_outcome: REPORT,
    },
  ],
};

let key: string;
beforeAll(async () => {
  ({ key } = await createTenant());
});

async function openDesk(plan: object = {}) {
  const path = `/v1/sessions/${await createSession(key, await createAgent(key, { plan }))}`;
  const ask = <Body>(method: string, what: string, body?: unknown) =>
    request<Body>(method, `${path}${what}`, { key, body });
  return {
    path,
    say: async (...lines: readonly string[]) =>
      (await ask<Reply>("POST", "/replies", { input: lines.join("\n/then\n") })).body,
    read: async () => (await ask<SessionPlan>("GET", "/plan")).body,
    put: (body: unknown) => ask<SessionPlan>("PUT", "/plan", body),
    events: async () =>
      (await ask<Page<LoggedEvent>>("GET", "/events?after=0&limit=100")).body.data,
    state: async () => (await ask<AgentState>("GET", "/state")).body,
    post: (body: unknown) => ask("POST", "/events", body),
    interrupt: () => ask("POST", "/interrupt"),
  };
}

function call(name: string, input: object): string {
  return `/call ${name} ${JSON.stringify(input)}`;
}

function finish(subtask_idx: number): string {
  return call("finish_subtask", { subtask_idx, subtask_outcome: `outcome ${subtask_idx}` });
}

function hintsOf({ message }: Reply): readonly string[] {
  return (message?.content ?? []).flatMap((block) =>
    block.type === "hint" && block.source === "plan" && typeof block.hint === "string"
      ? [block.hint]
      : [],
  );
}

function resultsOf({ message }: Reply): readonly string[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block.type !== "tool_result") return [];
    const [first] = Array.isArray(block.output) ? block.output : [];
    return first?.type === "text" ? [first.text] : [];
  });
}

const LINES = [
  "# Research on Agent",
  `**Description**: ${PLAN.description}`,
  `**Expected Outcome**: ${REPORT}`,
  "**State**: todo",
  "## Subtasks",
  "- [ ] Search agent-related survey papers",
  "- [ ] Read and summarize the papers",
  "- [ ] Research recent advances of large companies",
  "- [ ] Write a report",
].join("\n");

describe("AgentScope's plan", () => {
  it("is given up front, shown to the model, and worked off step by step", async () => {
    const desk = await openDesk();
    const { status, body } = await desk.put({ plan: PLAN });
    expect([status, body.version, body.plan?.state]).toEqual([200, 1, "todo"]);

    const begin = call("update_subtask_state", { subtask_idx: 0, state: "in_progress" });
    const steps = [0, 1, 2, 3].map(finish);
    const end = call("finish_plan", { state: "done", outcome: "The report is written." });
    const reply = await desk.say(begin, ...steps, end, "/say Here is the report.");

    expect(reply.status).toBe("completed");
    const hints = hintsOf(reply);
    expect(hints[0]).toContain(`The current plan:\n${LINES}\n\nNone of it was begun.`);
    expect(
      hints.map((hint) => /Subtask (\d) \("([^"]*)"\) is in progress/.exec(hint)?.[1]),
    ).toEqual([undefined, "0", "1", "2", "3", undefined, undefined]);
    expect(hints[5]).toContain("Every subtask is done or abandoned. Call finish_plan");
    expect(hints[6]).toContain("call create_plan first");
    expect(resultsOf(reply).at(-1)).toBe('The plan "Research on Agent" is done.');
    const { plan, history, version } = await desk.read();
    expect([plan, version]).toEqual([null, 7]);
    expect(history).toMatchObject([
      {
        id: "plan_1",
        state: "done",
        outcome: "The report is written.",
        subtasks: [0, 1, 2, 3].map((index) => ({ state: "done", outcome: `outcome ${index}` })),
      },
    ]);
  });

  it("is made by the agent, and each change is AgentScope's event with the whole of it", async () => {
    const desk = await openDesk();
    await desk.say(call("create_plan", PLAN), finish(0), "/say done");

    const changes = (await desk.events()).flatMap((event) =>
      event.type === "CUSTOM" && event.name === "state_updated"
        ? [event.value as unknown as StateUpdatedValue]
        : [],
    );
    expect(changes.map(({ plan }) => plan.version)).toEqual([1, 2]);
    expect(changes[1]?.tasks_context.tasks.map(({ state }) => state)).toEqual([
      "completed",
      "in_progress",
      "pending",
      "pending",
    ]);
    expect(changes[1]?.permission_context).toEqual({
      mode: "default",
      working_directories: {},
      allow_rules: {},
      deny_rules: {},
      ask_rules: {},
    });
    expect(changes[1]?.plan.current).toEqual((await desk.read()).plan);
    expect((await desk.state()).tasks_context).toEqual(changes[1]?.tasks_context);
  });

  it("is suspended when the reply is interrupted, and goes on in the next one", async () => {
    const desk = await openDesk();
    await desk.put({ plan: PLAN });
    const begin = call("update_subtask_state", { subtask_idx: 0, state: "in_progress" });
    const said = desk.say(begin, "/rate 50\n/words 20000");
    await expect
      .poll(async () => (await desk.events()).some(({ type }) => type === "TEXT_BLOCK_START"))
      .toBe(true);
    await desk.interrupt();
    await said;

    expect(await desk.read()).toMatchObject({
      is_suspended: true,
      plan: { state: "in_progress", subtasks: [{ state: "in_progress" }, {}, {}, {}] },
    });
    const next = await desk.say(finish(0), "/say done");
    expect(hintsOf(next)[0]).toContain("The user interrupted the last reply");
    expect(await desk.read()).toMatchObject({ is_suspended: false });
  });

  it("is carried from one session to another by AgentScope's own state", async () => {
    const [first, second] = [await openDesk(), await openDesk({ tools: "tasks" })];
    await first.say(call("create_plan", PLAN), finish(0), "/say done");
    const { tasks_context } = await first.state();
    const { status } = await request("PUT", `${second.path}/state`, {
      key,
      body: { tasks_context },
    });
    const { plan } = await first.read();

    expect(status).toBe(200);
    expect((await second.read()).plan?.subtasks).toEqual(plan?.subtasks);
    const reply = await second.say(call("TaskList", {}), "/say done");
    expect(resultsOf(reply)).toEqual([
      "- [x] 1. Search agent-related survey papers\n- [ ] [WIP]2. Read and summarize the papers\n- [ ] 3. Research recent advances of large companies\n- [ ] 4. Write a report",
    ]);
  });

  it("has the agent's own hints, within its own limit", async () => {
    const hint_template = {
      no_plan: null,
      when_a_subtask_in_progress: "Now {subtask_idx}: {subtask_name}. Then {index}.",
    };
    const desk = await openDesk({ max_subtasks: 3, hint_template });
    const refused = await desk.put({ plan: PLAN });
    const three = { ...PLAN, subtasks: PLAN.subtasks.slice(1) };
    const reply = await desk.say(call("create_plan", PLAN), call("create_plan", three), finish(0));

    expect([refused.status, resultsOf(reply)[0]]).toEqual([
      400,
      "Nothing was changed: a plan may have 3 subtasks at most, this one would have 4.",
    ]);
    expect(hintsOf(reply).at(-1)).toBe(
      "Now 1: Research recent advances of large companies. Then 2.",
    );
  });
});

describe("a step that a person has to accept", () => {
  const plan = {
    ...PLAN,
    subtasks: PLAN.subtasks.map((step, index) =>
      index === 0 ? { ...step, acceptance: { kind: "person", criteria: "Ten papers." } } : step,
    ),
  };

  it("waits for a confirmation like any other, and is done once it is given", async () => {
    const desk = await openDesk();
    await desk.put({ plan });
    const waiting = await desk.say(finish(0), "/say done");
    const [asked] = waiting.pending;

    expect(waiting.status).toBe("awaiting_permission");
    expect(asked).toMatchObject({
      kind: "permission",
      question:
        'Accept the step "Search agent-related survey papers" as done? Criteria: Ten papers.',
    });
    const answer = {
      type: "USER_CONFIRM_RESULT",
      reply_id: waiting.id,
      confirm_results: [{ confirmed: true, tool_call: { id: asked?.tool_call.id } }],
    };
    await desk.post(answer);
    await expect
      .poll(async () => (await desk.read()).plan?.subtasks[0])
      .toMatchObject({ state: "done", acceptance: { kind: "person", state: "accepted" } });
  });

  it("is not done when the person says no, and the model is told why", async () => {
    const desk = await openDesk();
    await desk.put({ plan });
    const waiting = await desk.say(finish(0), "/say done");
    const id = waiting.pending[0]?.tool_call.id ?? "";
    await desk.post({
      type: "USER_CONFIRM_RESULT",
      reply_id: waiting.id,
      confirm_results: [{ confirmed: false, tool_call: { id }, reason: "Only nine." }],
    });
    const ended = async () =>
      (await request<Reply>("GET", `${desk.path}/replies/${waiting.id}`, { key })).body;
    await expect.poll(async () => (await ended()).status).toBe("completed");

    expect(resultsOf(await ended())[0]).toContain("Their reason: Only nine.");
    expect((await desk.read()).plan?.subtasks[0]?.state).toBe("todo");
  });

  it("is not done by a yes that was given for what it was before", async () => {
    const desk = await openDesk();
    const { body } = await desk.put({ plan });
    const waiting = await desk.say(finish(0), "/say done");
    const subtasks = body.plan?.subtasks.map((step, index) =>
      index === 0 ? { ...step, name: "Search every paper" } : step,
    );
    await desk.put({ plan: { ...body.plan, subtasks } });
    await desk.post({
      type: "USER_CONFIRM_RESULT",
      reply_id: waiting.id,
      confirm_results: [{ confirmed: true, tool_call: { id: waiting.pending[0]?.tool_call.id } }],
    });
    const ended = async () =>
      (await request<Reply>("GET", `${desk.path}/replies/${waiting.id}`, { key })).body;
    await expect.poll(async () => (await ended()).status).toBe("completed");

    expect(resultsOf(await ended())[0]).toContain("was changed while a person was asked about it");
    expect((await desk.read()).plan?.subtasks[0]?.state).toBe("todo");
  });
});

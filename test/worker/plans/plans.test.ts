// A session's plan over HTTP: what people may write, what is refused and how, versions as ETags, and who may.
import { beforeAll, describe, expect, it } from "vitest";

import type { PlanInput, SessionPlan } from "../../../protocol/plans/contract.ts";
import { MAX_PLAN_SUBTASKS, MAX_PLAN_TEXT_CHARACTERS } from "../../../protocol/plans/limits.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent, openSession, refusalOf, type Call } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";

const STEP = { name: "find" };
const GUARDED = { name: "write", acceptance: { kind: "person", criteria: "It is true." } };
const PLAN = { name: "Research", subtasks: [STEP, { name: "read" }, GUARDED] };

async function openDesk(plan: object | null = {}) {
  const opened = await openSession({ name: "Planner", plan });
  const path = `${opened.path}/plan`;
  return {
    ...opened,
    put: (value: unknown, more: object = {}) =>
      ask<SessionPlan>("PUT", path, { ...opened.call, json: { plan: value }, ...more }),
    read: async () => (await ask<SessionPlan>("GET", path, opened.call)).json,
    path: opened.path,
  };
}

/** The plan as GET answers it, with changes to its steps. */
function changed(
  { plan }: SessionPlan,
  change: (step: PlanInput["subtasks"][number], index: number) => object,
): object {
  const subtasks = plan?.subtasks.map((step, index) => ({ ...step, ...change(step, index) }));
  return { ...plan, subtasks };
}

describe("a plan that people write", () => {
  it("is answered with its version as ETag, and can be sent back as it was read", async () => {
    const desk = await openDesk();
    const none = await ask<SessionPlan>("GET", `${desk.path}/plan`, desk.call);
    const made = await desk.put(PLAN);
    const whole = await desk.read();
    const again = await ask<SessionPlan>("PUT", `${desk.path}/plan`, { ...desk.call, json: whole });

    expect([none.status, none.headers.get("ETag"), none.json]).toEqual([
      200,
      '"0"',
      { plan: null, version: 0, cursor: 0, is_suspended: false, history: [] },
    ]);
    expect([made.status, made.headers.get("ETag"), made.json.cursor]).toEqual([200, '"1"', 1]);
    expect(made.json.plan).toMatchObject({
      id: "plan_1",
      state: "todo",
      subtasks: [
        { id: "1", name: "find", description: "", state: "todo" },
        { id: "2" },
        { id: "3", acceptance: { kind: "person", criteria: "It is true.", state: "open" } },
      ],
    });
    expect(again.json).toEqual(made.json);
  });

  it("keeps its steps by their ids, in whatever order, and gives new ones ids of their own", async () => {
    const desk = await openDesk();
    const { json } = await desk.put(PLAN);
    const [first, second, third] = json.plan?.subtasks ?? [];
    const { json: next } = await desk.put({
      ...json.plan,
      subtasks: [third, { name: "new" }, first],
    });
    const gone = await desk.put({ ...next.plan, subtasks: [second] });

    expect(next.plan?.subtasks.map(({ id, name }) => [id, name])).toEqual([
      ["3", "write"],
      ["4", "new"],
      ["1", "find"],
    ]);
    expect(next.plan?.subtasks[0]?.created_at).toBe(third?.created_at);
    expect(refusalOf(gone as never)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/plan/subtasks/0/id"],
    });
  });

  it("takes the place of another, is taken away and recovered", async () => {
    const desk = await openDesk();
    await desk.put(PLAN);
    const { json: second } = await desk.put({ ...PLAN, name: "Second" });
    const { json: none } = await desk.put(null);
    const { json: nothing } = await desk.put(null);
    const [first] = none.history;
    const { json: recovered } = await desk.put(first);

    expect(second.history.map(({ id, state }) => [id, state])).toEqual([["plan_1", "abandoned"]]);
    expect([none.plan, none.history.length, nothing.version]).toEqual([null, 2, none.version]);
    expect(recovered.plan).toMatchObject({ id: "plan_1", state: "todo", finished_at: null });
    expect(recovered.history.map(({ name }) => name)).toEqual(["Second"]);
  });

  it("is written over the version that its writer has seen, or not at all", async () => {
    const desk = await openDesk();
    await desk.put(PLAN);
    const headers = { "If-Match": '"0"' };
    const late = await desk.put({ ...PLAN, name: "Late" }, { headers });
    const right = await desk.put({ ...PLAN, name: "Now" }, { headers: { "If-Match": '"1"' } });

    expect(late).toMatchObject({ status: 412, json: { code: "version_mismatch", version: 1 } });
    expect([right.status, right.json.version]).toEqual([200, 2]);
  });

  it.each([
    ["no name", { subtasks: [] }, "#/plan/name"],
    ["an unknown member", { ...PLAN, nmae: 1 }, "#/plan/nmae"],
    ["a name of two lines", { ...PLAN, name: "a\nb" }, "#/plan/name"],
    [
      "an unknown state",
      { ...PLAN, subtasks: [{ ...STEP, state: "x" }] },
      "#/plan/subtasks/0/state",
    ],
    [
      "too long a text",
      { ...PLAN, description: "x".repeat(MAX_PLAN_TEXT_CHARACTERS + 1) },
      "#/plan/description",
    ],
    [
      "too many steps",
      { ...PLAN, subtasks: Array.from({ length: MAX_PLAN_SUBTASKS + 1 }, () => STEP) },
      "#/plan/subtasks",
    ],
    [
      "too many bytes",
      {
        ...PLAN,
        subtasks: Array.from({ length: 20 }, () => ({ ...STEP, description: "x".repeat(4_000) })),
      },
      "#/plan",
    ],
    [
      "two steps at a time",
      { ...PLAN, subtasks: [1, 2].map(() => ({ ...STEP, state: "in_progress" })) },
      "#/plan/subtasks/1/state",
    ],
    ["an unknown plan", { ...PLAN, id: "plan_9" }, "#/plan/id"],
    [
      "one id twice",
      { ...PLAN, subtasks: [1, 2].map(() => ({ ...STEP, id: "a" })) },
      "#/plan/subtasks/1/id",
    ],
    [
      "a link to nowhere",
      { ...PLAN, subtasks: [{ ...STEP, blocked_by: ["9"] }] },
      "#/plan/subtasks/0/blocked_by",
    ],
    [
      "a key of the platform's",
      { ...PLAN, subtasks: [{ ...STEP, metadata: { plan: 1 } }] },
      "#/plan/subtasks/0/metadata/plan",
    ],
    [
      "an acceptance without criteria",
      { ...PLAN, subtasks: [{ ...STEP, acceptance: { kind: "person", criteria: "" } }] },
      "#/plan/subtasks/0/acceptance/criteria",
    ],
  ])("is refused with %s, and nothing is changed", async (_, plan, pointer) => {
    const desk = await openDesk();
    const refused = await desk.put(plan);

    expect(refusalOf(refused as never)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
    expect(await desk.read()).toMatchObject({ version: 0, plan: null });
  });

  it("needs an agent that has plans", async () => {
    const desk = await openDesk(null);

    expect(refusalOf((await desk.put(PLAN)) as never)).toMatchObject({
      status: 409,
      code: "conflict",
    });
  });

  it("goes with a fork, and both go their own ways", async () => {
    const desk = await openDesk();
    const { json } = await desk.put(PLAN);
    const fork = await ask<Session>("POST", `${desk.path}/fork`, { ...desk.call, json: {} });
    await desk.put(null);
    const path = `/v1/sessions/${fork.json.id}/plan`;
    const copied = await ask<SessionPlan>("GET", path, desk.call);

    expect(copied.json).toMatchObject({ plan: json.plan, version: 1, history: [] });
  });

  it("may have several steps in progress where they are tasks", async () => {
    const desk = await openDesk({ tools: "tasks" });
    const subtasks = [1, 2].map(() => ({ ...STEP, state: "in_progress" }));

    expect((await desk.put({ ...PLAN, subtasks })).status).toBe(200);
  });
});

describe("who may write a plan", () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  let narrow: Call;
  beforeAll(async () => {
    desk = await openDesk();
    const scopes = ["sessions:read", "replies:write"];
    const made = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...desk.call,
      json: { scopes },
    });
    narrow = { key: made.json.api_key };
  });

  it.each([
    ["done", () => ({ state: "done" })],
    ["accepted by no one", () => ({ acceptance: null })],
    ["the model's to accept", () => ({ acceptance: { kind: "model", criteria: "It is true." } })],
    ["accepted by less", () => ({ acceptance: { kind: "person", criteria: "It is." } })],
    ["another one", () => ({ name: "nothing" })],
    ["another one in its words", () => ({ description: "Or leave it." })],
    ["one of less outcome", () => ({ expected_outcome: "None." })],
  ])("only who may confirm makes a person's step %s", async (_, change) => {
    const { json } = await desk.put(PLAN);
    const plan = changed(json, ({ acceptance }) => (acceptance ? change() : {}));
    const refused = await desk.put(plan, narrow);
    const token = await mintCall(desk.path, desk.call, { verbs: ["read", "reply"] });
    const ofToken = await desk.put(plan, token);

    expect([refused.status, refused.json]).toMatchObject([
      403,
      { code: "insufficient_scope", required_scope: "confirmations:write" },
    ]);
    expect(ofToken.status).toBe(403);
    expect((await desk.read()).version).toBe(json.version);
    expect((await desk.put(plan)).status).toBe(200);
  });

  it.each(["abandoned", "done"])(
    "only who may confirm rewords, deletes or frees a person's step that is %s",
    async (state) => {
      const { json } = await desk.put(PLAN);
      const ended = await desk.put(
        changed(json, ({ acceptance }) => (acceptance ? { state } : {})),
      );
      const changes = [
        changed(ended.json, ({ acceptance }) => (acceptance ? { name: "nothing" } : {})),
        changed(ended.json, ({ acceptance }) => (acceptance ? { acceptance: null } : {})),
        { ...ended.json.plan, subtasks: ended.json.plan?.subtasks.slice(0, 2) },
      ];
      const refused: number[] = [];
      for (const plan of changes) refused.push((await desk.put(plan, narrow)).status);
      const opened = await desk.put(
        changed(ended.json, ({ acceptance }) => (acceptance ? { state: "todo" } : {})),
        narrow,
      );
      const finished = await desk.put(
        changed(opened.json, ({ acceptance }) => (acceptance ? { state: "done" } : {})),
        narrow,
      );
      expect(refused).toEqual([403, 403, 403]);
      expect([opened.status, finished.status]).toEqual([200, 403]);
    },
  );

  it("only who may confirm puts another plan, or none, in the place of one with a person's open step", async () => {
    const { json } = await desk.put(PLAN);
    const other = { name: "Other", subtasks: [STEP] };
    const token = await mintCall(desk.path, desk.call, { verbs: ["read", "reply"] });
    const refused = [await desk.put(other, token), await desk.put(null, token)];
    await desk.put(changed(json, ({ acceptance }) => (acceptance ? { state: "abandoned" } : {})));

    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect((await desk.put(other, token)).status).toBe(200);
    expect((await desk.put(null, token)).status).toBe(200);
  });

  it("a plan that is recovered is held to its own steps in the history", async () => {
    const { json } = await desk.put(PLAN);
    await desk.put({ name: "Other", subtasks: [STEP] });
    const token = await mintCall(desk.path, desk.call, { verbs: ["read", "reply"] });
    const done = changed(json, ({ acceptance }) => (acceptance ? { state: "done" } : {}));
    const without = { ...json.plan, subtasks: json.plan?.subtasks.slice(0, 2) };
    const refused = [await desk.put(done, token), await desk.put(without, token)];

    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect((await desk.put(json.plan, token)).status).toBe(200);
  });

  it("only who may confirm gives a plan whose step a person has accepted already", async () => {
    await desk.put(null);
    const plan = { name: "Research", subtasks: [{ ...GUARDED, state: "done" }] };
    const refused = await desk.put(plan, narrow);

    expect([refused.status, (await desk.put(plan)).status]).toEqual([403, 200]);
  });

  it("everyone who may write replies changes the rest of it", async () => {
    const { json } = await desk.put(PLAN);
    const plan = changed(json, ({ name, acceptance }) =>
      acceptance ? { state: "in_progress" } : { description: `${name} it` },
    );
    const token = await mintCall(desk.path, desk.call, { verbs: ["read", "reply"] });

    expect((await desk.put(plan, narrow)).status).toBe(200);
    expect(
      (
        await desk.put(
          changed(json, () => ({ owner: "Ann" })),
          token,
        )
      ).status,
    ).toBe(200);
  });
});

describe("an agent with plans", () => {
  it.each([
    [{ tools: "both" }, "#/plan/tools"],
    [{ max_subtasks: 0 }, "#/plan/max_subtasks"],
    [{ max_subtasks: MAX_PLAN_SUBTASKS + 1 }, "#/plan/max_subtasks"],
    [{ hint_template: { no_plan: "" } }, "#/plan/hint_template"],
    [{ hint_template: "{plam}" }, "#/plan/hint_template"],
  ])("is refused with %j", async (plan, pointer) => {
    const { call } = await openSession();
    const json = { name: "Planner", plan };
    const refused = await ask("POST", "/v1/agents", { ...call, json });

    expect(refused.status).toBe(400);
    expect(refusalOf(refused as never).pointers?.[0]?.startsWith(pointer)).toBe(true);
  });

  it("has no tool with the name of one of its plan's, whichever comes first", async () => {
    const { call } = await openSession();
    const tools = [{ type: "external", name: "TaskList" }];
    const agent = await makeAgent(call, { name: "Desk", tools, plan: {} });
    const path = `/v1/agents/${agent.id}`;
    const refused = await ask("PATCH", path, { ...call, json: { plan: { tools: "tasks" } } });

    expect(refusalOf(refused as never)).toMatchObject({
      status: 400,
      pointers: ["#/tools/0/name"],
    });
    expect((await ask("PATCH", path, { ...call, json: { plan: null } })).status).toBe(200);
  });
});

// Background tasks that are stopped, that fail, that are too many, and replies that begin one another.
import { expect, onTestFinished, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { SessionTask } from "../../../protocol/background/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { SessionPage } from "../../../protocol/sessions/contract.ts";
import {
  deskOf,
  openBackgroundDesk,
  reportTool,
  resultOf,
  saidIn,
  startReportServer,
} from "../../support/background-desk.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { startToolServer } from "../../support/tool-server.ts";
import { waitFor } from "../../support/wait-for.ts";

const CALL = "/call report {}\n/say It is on its way.";

test("a task that a person stops begins no reply, takes no result, and the model is told", async () => {
  const desk = await openBackgroundDesk();
  await desk.say(CALL);
  const { callback_url, task_id = "" } = await desk.server.sent(0);
  const path = `/v1/sessions/${desk.session}/tasks`;
  const stopped = await desk.ask<SessionTask>("POST", `${path}/${task_id}/cancel`);

  expect([stopped.status, stopped.body]).toEqual([
    200,
    expect.objectContaining({
      id: task_id,
      status: "cancelled",
      message: "It was stopped by a person.",
      ended_at: expect.any(String),
      woken_reply_id: null,
    }),
  ]);
  await desk.server.abandoned("/report");
  const again = await desk.ask<SessionTask>("POST", `${path}/${task_id}/cancel`);
  expect(again).toMatchObject({ status: 200, body: stopped.body });
  const late = await fetch(callback_url ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ output: "too late" }),
  });
  expect(late.status).toBe(409);
  const next = await desk.say("/say Hello.");
  expect(next.message?.content).toContainEqual(
    expect.objectContaining({
      type: "hint",
      source: "background_tasks",
      hint: `This background task was stopped by a person and will have no result: ${task_id} (report).`,
    }),
  );
  const unknown = `${path}/task_00000000000000000000000000/cancel`;
  expect(await desk.ask("POST", unknown)).toMatchObject({ status: 404 });
});

test("an agent stops its own task, and is told of one that does not work", async () => {
  const desk = await openBackgroundDesk();
  await desk.say(CALL);
  const { task_id = "" } = await desk.server.sent(0);
  const reply = await desk.say(`/call ToolStop {"task_id":"${task_id}"}\n/say Stopped.`);
  await desk.server.abandoned("/report");
  const again = await desk.say(`/call ToolStop {"task_id":"${task_id}"}\n/say Hm.`);

  expect([resultOf(reply), resultOf(again)]).toEqual([
    `The task ${task_id} of report was stopped.`,
    `No task ${task_id} works, so there is nothing to stop. No task works.`,
  ]);
  const [task] = await desk.tasks();
  expect(task).toMatchObject({ status: "cancelled", message: "It was stopped by the agent." });
  expect(await desk.replies()).toHaveLength(3);
});

test("a fourth held request is an error that says so", async () => {
  const desk = await openBackgroundDesk();
  for (const index of [0, 1, 2]) {
    await desk.say(CALL);
    await desk.server.sent(index);
  }
  const reply = await desk.say(CALL);

  expect(resultOf(reply)).toBe(
    "The tool has not answered in time, and this conversation holds 3 requests in the background already: the request was closed, and it is not known whether the tool has done its work. Wait until one of the tasks has ended, or stop one.",
  );
  expect((await desk.tasks()).map(({ status }) => status)).toEqual([
    "working",
    "working",
    "working",
  ]);
});

test("a task whose request fails begins a reply that says so", async () => {
  const desk = await openBackgroundDesk();
  await desk.say(CALL);
  const { task_id = "" } = await desk.server.sent(0);
  await desk.server.answer(0, "no paper", 500);
  await desk.woken(task_id);
  const [task] = await desk.tasks();

  expect(task).toMatchObject({ status: "failed", message: null });
});

test("an answer 202 of a request that is held lets the result be posted", async () => {
  const desk = await openBackgroundDesk();
  await desk.say(CALL);
  const { callback_url, task_id = "" } = await desk.server.sent(0);
  await desk.server.answer(0, {}, 202);
  await waitFor(async () => {
    const [task] = await desk.tasks();
    if (task?.waits_for !== "callback") throw new Error("it waits for its request");
  });
  await fetch(callback_url ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ output: "/say Posted." }),
  });

  expect(saidIn(await desk.woken(task_id))).toBe("Posted.");
});

test(
  "tasks that begin one another stop after 20 replies, until a person says something",
  BROAD,
  async () => {
    const server = await startToolServer({
      "/again": async (response) => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ output: "/call report {}\n/say Again." }));
      },
    });
    onTestFinished(() => server.stop());
    const desk = await openBackgroundDesk({ url: `${server.url}/again`, background_after_ms: 1 });
    await desk.say("/call report {}\n/say Begun.");
    const paused = await waitFor(async () => {
      const task = (await desk.tasks()).find((one) => one.paused);
      if (!task) throw new Error("no task is paused");
      return task;
    });
    const before = await desk.replies();
    expect(before).toHaveLength(21);
    expect([paused.status, paused.woken_reply_id]).toEqual(["completed", null]);

    await desk.say("/say Go on.");
    const resumed = await desk.woken(paused.id);
    expect([resumed.status, saidIn(resumed)]).toEqual(["completed", "Again."]);
  },
);

test("the end of a tool that is not trusted makes calls of sinks ask", async () => {
  const desk = await openBackgroundDesk({ returns_untrusted: true });
  const send = { type: "external", name: "send_mail", read_only: true, sink: true };
  await desk.ask("PATCH", `/v1/sessions/${desk.session}`, { tools: [send] });
  await desk.say("/say Hello.");
  await desk.say(CALL);
  await desk.server.sent(0);
  await desk.server.answer(0, { output: "/call send_mail {}\n/say Sent." });
  const woken = await waitFor(async () => {
    const [task] = await desk.tasks();
    const path = `/v1/sessions/${desk.session}/replies/${task?.woken_reply_id ?? ""}`;
    const { body } = await desk.ask<Reply>("GET", path);
    if (body.status === "running" || !body.pending) throw new Error("it runs");
    return body;
  });

  const { tool_call_id } = await desk.server.sent(0);
  expect([woken.status, woken.pending[0]?.reasons?.untrusted]).toEqual([
    "awaiting_permission",
    [{ tool_name: "report", tool_call_id }],
  ]);
});

test("a definition whose times do not fit is refused at the member", async () => {
  const desk = await openBackgroundDesk();
  const tools = [
    reportTool(desk.server, { background_after_ms: 600_000 }),
    reportTool(desk.server, { name: "slow", background_after_ms: undefined, timeout_ms: 600_001 }),
    { type: "external", name: "ToolStop" },
  ];
  const body = { name: "Desk", model: { provider: "scripted", name: "refund-desk" }, tools };
  const refused = await desk.ask<{ errors: object[] }>("POST", "/v1/agents", body);

  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [
      {
        pointer: "#/tools/0/background_after_ms",
        detail: "has to be less than the tool's timeout_ms",
      },
      {
        pointer: "#/tools/1/timeout_ms",
        detail: "at most 600000, or more with background_after_ms",
      },
      {
        pointer: "#/tools/2/name",
        detail: "ToolStop is the tool with which the agent stops its background tasks",
      },
    ],
  ]);
  expect(await createAgent(desk.key, { tools: [{ type: "external", name: "ToolStop" }] })).toMatch(
    /^agt_/,
  );
});

test(
  "a called agent waits for its tool, as its caller hears nothing behind its answer",
  BROAD,
  async () => {
    const server = await startReportServer();
    const { key } = await createTenant();
    const ask = <Body>(method: string, path: string, body?: unknown) =>
      request<Body>(method, path, { key, body });
    const writer = await createAgent(key, { name: "Writer", tools: [reportTool(server)] });
    const tools = [{ type: "agent", name: "writer", agent_id: writer, read_only: true }];
    const agent_id = await createAgent(key, { name: "Caller", tools });
    const { body: session } = await ask<{ id: string }>("POST", "/v1/sessions", { agent_id });
    const desk = deskOf({ key, session: session.id, server, ask });
    const message = JSON.stringify({ message: "/call report {}\n/say Written." });
    const said = desk.say(`/call writer ${message}\n/say Thanks.`);
    const sent = await server.sent(0);
    await server.answer(0, { output: "12 pages" });
    const reply = await said;
    const children = `/v1/sessions?parent_session_id=${session.id}`;
    const [child] = (await ask<SessionPage>("GET", children)).body.data;
    const below = deskOf({ ...desk, session: child?.id ?? "" });
    const [called] = await below.replies();

    expect("task_id" in sent || "callback_url" in sent).toBe(false);
    expect([resultOf(reply), called && resultOf(called)]).toEqual(["Written.", "12 pages"]);
    expect(await below.tasks()).toEqual([]);
  },
);

/** @module-tag broad */
// Servers that lie about their tasks: the reply ends well, and asks neither too often nor without end.
import { expect, it, onTestFinished } from "vitest";

import { ACT, lookedAt, openTaskDesk, statesOf, textsOf } from "../../support/mcp/task-desk.ts";
import { startTaskServer, type TaskEra } from "../../support/mcp/task-server.ts";
import { createSession, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

async function open(era: TaskEra, server?: object) {
  const mcp = await startTaskServer(era, server);
  onTestFinished(() => mcp.stop());
  return { mcp, desk: await openTaskDesk(mcp.url) };
}

it.each([0, -5, 1e12, "soon"])(
  "takes a poll interval of %s as one within its bounds",
  async (given) => {
    const first = { pollIntervalMs: given, ttlMs: 2_500 };
    const { mcp, desk } = await open("modern", { first });
    const id = await desk.begin(`${ACT}\n/say Done.`);
    const reply = await desk.settled(id);

    // The last look is that of the call itself, once its time was over.
    expect(textsOf(reply)[0]).toContain("did not end in its time");
    expect(mcp.posted("tasks/get").length).toBeLessThanOrEqual(4);
  },
);

it.each([
  ["of another task", { taskId: "another" }, "answered for another task"],
  ["without a status", { status: "busy" }, "answered nothing about its task"],
])("ends a call whose server gives an answer %s", async (_what, lie, said) => {
  const { mcp, desk } = await open("modern");
  const id = await desk.begin(`${ACT}\n/say Done.`);
  const task = await lookedAt(mcp, 0);
  task.state = { ...task.state, ...lie };
  const reply = await desk.settled(id);

  expect([reply.status, statesOf(reply)]).toEqual(["completed", ["error"]]);
  expect(textsOf(reply)[0]).toContain(said);
});

it("takes no result of another task", async () => {
  const { mcp, desk } = await open("legacy");
  const id = await desk.begin(`${ACT}\n/say Done.`);
  const task = await lookedAt(mcp, 0);
  mcp.finish(0, "of another one");
  const _meta = { "io.modelcontextprotocol/related-task": { taskId: "another" } };
  task.result = { ...task.result, _meta };
  const reply = await desk.settled(id);

  expect(statesOf(reply)).toEqual(["error"]);
  expect(textsOf(reply)[0]).toContain("the result of another task");
});

it("waits on when a task is done and then is not", async () => {
  const { mcp, desk } = await open("modern");
  const id = await desk.begin(`${ACT}\n/say Done.`);
  const task = await lookedAt(mcp, 0);
  let isDone = true;
  // Done at each look of the alarm, and at work again when the call goes on.
  mcp.raw.on("tasks/get", () => {
    const status = isDone ? "completed" : "working";
    isDone = !isDone;
    task.looks += 1;
    return { ...task.state, taskId: task.id, status, resultType: "complete" };
  });
  await lookedAt(mcp, 0, task.looks + 4);
  const waiting = await desk.read(id);
  await request("POST", `${desk.path}/interrupt`, { key: desk.key });

  expect(waiting.status).toBe("running");
  expect((await desk.settled(id)).status).toBe("interrupted");
});

it.each([
  ["without an id", { taskId: 7 }],
  ["with an id that no header can hold", { taskId: "x".repeat(2_000) }],
  ["with a status of its own", { status: "thinking" }],
])("ends a call that gets a task %s", async (_what, lie) => {
  const { mcp, desk } = await open("modern");
  const usual = { resultType: "task", taskId: "t", status: "working", ttlMs: null };
  mcp.raw.on("tools/call", () => ({ ...usual, ...lie }));
  const reply = await desk.say(`${ACT}\n/say Done.`);

  expect(desk.textOf(reply.results[0])).toContain("gave a task that cannot be asked for");
});

it("takes a task of the older era for a bad result where it has not asked for one", async () => {
  const { mcp, desk } = await open("legacy", { support: "optional" });
  mcp.raw.on("tools/call", () => ({ task: { taskId: "t", status: "working", ttl: null } }));
  const reply = await desk.say(`${ACT}\n/say Done.`);

  expect(desk.textOf(reply.results[0])).toContain("gave a result that cannot be read");
});

it("asks again when the server does not answer for its task", async () => {
  const { mcp, desk } = await open("modern");
  const id = await desk.begin(`${ACT}\n/say Done.`);
  const task = await lookedAt(mcp, 0);
  let failures = 0;
  mcp.raw.on("tasks/get", (_message, response) => {
    failures += 1;
    if (failures < 3) {
      response.writeHead(503).end();
      return undefined;
    }
    return { ...task.state, taskId: task.id, resultType: "complete" };
  });
  await waitFor(() => expect(failures).toBeGreaterThanOrEqual(2));
  mcp.finish(0, "all of it");

  expect(textsOf(await desk.settled(id))).toEqual(["all of it"]);
});

it("cancels what a task of the older era asks a person, and says so", async () => {
  const { mcp, desk } = await open("legacy");
  const id = await desk.begin(`${ACT}\n/say Done.`);
  const task = await lookedAt(mcp, 0);
  mcp.raw.on("tasks/result", (message, response) => {
    const ask = { message: "Which?", requestedSchema: { type: "object", properties: {} } };
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = (one: object) => response.write(`data: ${JSON.stringify(one)}\n\n`);
    write({ jsonrpc: "2.0", id: "ask-1", method: "elicitation/create", params: ask });
    const isAnswered = () =>
      mcp.raw.posts.some(({ id: posted, method }) => posted === "ask-1" && !method);
    void waitFor(() => expect(isAnswered()).toBe(true)).then(() => {
      write({ jsonrpc: "2.0", id: message.id, result: { content: [] } });
      response.end();
    });
    return undefined;
  });
  task.state = { ...task.state, status: "input_required" };
  const reply = await desk.settled(id);
  const answer = mcp.raw.posts.find(({ id: posted, method }) => posted === "ask-1" && !method);

  expect(answer).toMatchObject({ result: { action: "cancel" } });
  expect(textsOf(reply)[0]).toContain("needs an answer of a person");
});

it("ends the call of a server that was deleted, and says that the outcome is unknown", async () => {
  const { mcp, desk } = await open("modern");
  const id = await desk.begin(`${ACT}\n/say Done.`);
  await lookedAt(mcp, 0);
  await request("DELETE", `/v1/mcp-servers/${desk.server_id}`, { key: desk.key });
  const reply = await desk.settled(id);

  expect(statesOf(reply)).toEqual(["error"]);
  expect(textsOf(reply)[0]).toContain("outcome is unknown");
});

it("asks no more for the task of a session that was deleted", async () => {
  const { mcp, desk } = await open("modern");
  await desk.begin(`${ACT}\n/say Done.`);
  const task = await lookedAt(mcp, 0);
  const deleted = await request("DELETE", desk.path, { key: desk.key });
  const { looks } = task;
  // The time of several looks, as another session has it.
  const path = `/v1/sessions/${await createSession(desk.key, desk.agent)}/replies`;
  await request("POST", path, { key: desk.key, body: { input: ACT, background: true } });
  await lookedAt(mcp, 1, 3);

  expect(deleted.status).toBe(204);
  expect(task.looks - looks).toBeLessThanOrEqual(1);
});

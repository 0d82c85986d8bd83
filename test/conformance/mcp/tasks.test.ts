// Servers that give a task in place of a result: the call waits for it without anything that runs, and goes on with its end.
import { describe, expect, it, onTestFinished } from "vitest";

import { BROAD, sampled } from "../../support/breadth.ts";
import { ACT, lookedAt, openTaskDesk, statesOf, textsOf } from "../../support/mcp/task-desk.ts";
import { startTaskServer, type TaskEra } from "../../support/mcp/task-server.ts";
import { createSession, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

async function open(era: TaskEra, server?: object, options?: Parameters<typeof openTaskDesk>[1]) {
  const mcp = await startTaskServer(era, server);
  onTestFinished(() => mcp.stop());
  return { mcp, desk: await openTaskDesk(mcp.url, options) };
}

for (const [rows, breadth] of sampled(["modern", "legacy"] as const, 1))
  describe.each(rows)("a task of the %s era", breadth, (era) => {
    it("is looked at until it is done, and its result is the call's", async () => {
      const { mcp, desk } = await open(era);
      const id = await desk.begin(`${ACT}\n/say Done.`);
      await lookedAt(mcp, 0, 2);
      const waiting = await desk.read(id);
      mcp.finish(0, "all of it");
      const reply = await desk.settled(id);

      expect([waiting.status, waiting.pending]).toEqual(["running", []]);
      expect([reply.status, textsOf(reply), statesOf(reply)]).toEqual([
        "completed",
        ["all of it"],
        ["success"],
      ]);
      expect(mcp.posted("tools/call")).toHaveLength(1);
      expect(mcp.tasks[0]?.cancelled).toBe(false);
    });

    it("ends with the interrupt of its reply, and its server is told", BROAD, async () => {
      const { mcp, desk } = await open(era);
      const id = await desk.begin(`${ACT}\n/say Done.`);
      const task = await lookedAt(mcp, 0);
      await request("POST", `${desk.path}/interrupt`, { key: desk.key });
      await waitFor(() => expect(task.cancelled).toBe(true));
      const reply = await desk.settled(id);
      const { looks } = task;

      expect([reply.status, statesOf(reply)]).toEqual(["interrupted", ["interrupted"]]);
      const next = await desk.say("/say Still here.");
      expect([next.status, task.looks]).toEqual(["completed", looks]);
    });

    it(
      "that its server does not know any more ends its call with an unknown outcome",
      BROAD,
      async () => {
        const { mcp, desk } = await open(era);
        const id = await desk.begin(`${ACT}\n/say Done.`);
        await lookedAt(mcp, 0);
        mcp.raw.on("tasks/get", (message, response) => {
          const error = { code: -32_602, message: "Task has expired" };
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, error }));
          return undefined;
        });
        const reply = await desk.settled(id);

        expect([reply.status, statesOf(reply)]).toEqual(["completed", ["error"]]);
        expect(textsOf(reply)[0]).toContain("outcome is unknown");
        expect(mcp.posted("tools/call")).toHaveLength(1);
      },
    );

    it("that its server cancels ends its call with an error", BROAD, async () => {
      const { mcp, desk } = await open(era);
      const id = await desk.begin(`${ACT}\n/say Done.`);
      const task = await lookedAt(mcp, 0);
      task.state = { ...task.state, status: "cancelled", statusMessage: "no room" };
      const reply = await desk.settled(id);

      expect(statesOf(reply)).toEqual(["error"]);
      expect(textsOf(reply)[0]).toContain("was cancelled by its server");
    });

    it(
      "that does not end in its time is cancelled, and its outcome is unknown",
      BROAD,
      async () => {
        const { mcp, desk } = await open(era, { first: { ttl: 1, ttlMs: 1 } });
        const id = await desk.begin(`${ACT}\n/say Done.`);
        const reply = await desk.settled(id);

        expect(statesOf(reply)).toEqual(["error"]);
        expect(textsOf(reply)[0]).toContain("did not end in its time");
        await waitFor(() => expect(mcp.tasks[0]?.cancelled).toBe(true));
      },
    );

    it("is waited for by one tool alone as long as its call may take", BROAD, async () => {
      const { mcp, desk } = await open(era);
      const path = `/v1/mcp-servers/${desk.server_id}/tools/act/call`;
      const calling = request("POST", path, { key: desk.key, body: { input: {} } });
      await lookedAt(mcp, 0);
      mcp.finish(0, "alone");

      expect((await calling).body).toMatchObject({
        state: "success",
        content: [{ type: "text", text: "alone" }],
      });
    });
  });

it(
  "says what its server says of it, in the reply, in the log and as its progress",
  BROAD,
  async () => {
    const { mcp, desk } = await open("modern");
    const id = await desk.begin(`${ACT}\n/say Done.`);
    const task = await lookedAt(mcp, 0);
    task.state = { ...task.state, statusMessage: "half\nof it" };
    const waiting = await waitFor(async () => {
      const read = await desk.read(id);
      expect(read.tasks?.[0]?.["message"]).toBe("half of it");
      return read;
    });
    mcp.finish(0, "all of it");
    const reply = await desk.settled(id);

    expect(waiting.tasks).toEqual([
      {
        tool_call_id: expect.any(String),
        tool_name: "mcp__wh__act",
        server: "wh",
        status: "working",
        message: "half of it",
        expires_at: expect.any(String),
      },
    ]);
    expect(textsOf(reply)).toEqual(["all of it"]);
    expect(reply).not.toHaveProperty("tasks");
    expect(JSON.stringify([waiting, reply])).not.toContain(task.id);
  },
);

it("takes no result from outside, and is in no list of calls to answer", BROAD, async () => {
  const { mcp, desk } = await open("modern");
  const { key, path } = desk;
  const id = await desk.begin(`${ACT}\n/say Done.`);
  await lookedAt(mcp, 0);
  const { tasks = [] } = await desk.read(id);
  const result = { id: tasks[0]?.["tool_call_id"], name: "mcp__wh__act", output: "made up" };
  const posted = await request("POST", `${path}/events`, {
    key,
    body: { type: "EXTERNAL_EXECUTION_RESULT", reply_id: id, execution_results: [result] },
  });
  const listed = await request<{ data: unknown[] }>("GET", "/v1/confirmations", { key });
  const busy = await request("POST", `${path}/replies`, { key, body: { input: "And?" } });
  mcp.finish(0, "the real one");

  expect([posted.status, posted.body["code"]]).toEqual([409, "call_not_pending"]);
  expect([listed.body.data, busy.status]).toEqual([[], 409]);
  expect(textsOf(await desk.settled(id))).toEqual(["the real one"]);
});

it(
  "asks a person by the questions that exist, and goes on waiting behind the answer",
  BROAD,
  async () => {
    const { mcp, desk } = await open("modern");
    const { key, path } = desk;
    const id = await desk.begin(`${ACT}\n/say Done.`);
    const task = await lookedAt(mcp, 0);
    const requestedSchema = { type: "object", properties: { seat: { type: "string" } } };
    const params = { mode: "form", message: "Which seat?", requestedSchema };
    const inputRequests = { seat: { method: "elicitation/create", params } };
    task.state = { ...task.state, status: "input_required", inputRequests };
    const asked = await desk.settled(id);
    const output = JSON.stringify({ action: "accept", content: { seat: "12A" } });
    const execution_results = [{ id: asked.pending[0]?.tool_call.id, output }];
    await request("POST", `${path}/events`, {
      key,
      body: { type: "EXTERNAL_EXECUTION_RESULT", reply_id: id, execution_results },
    });
    await waitFor(() => expect(task.answers).toHaveLength(1));
    // The server may list the question for some time yet: nobody is asked again.
    await lookedAt(mcp, 0, task.looks + 2);
    const waiting = await desk.read(id);
    mcp.finish(0, "12A is yours");
    const reply = await desk.settled(id);

    expect([asked.status, asked.pending[0]?.elicitation]).toMatchObject([
      "awaiting_external_result",
      { server: "wh", round: 1 },
    ]);
    expect(task.answers).toEqual([{ seat: { action: "accept", content: { seat: "12A" } } }]);
    expect([waiting.status, textsOf(reply)]).toEqual(["running", ["12A is yours"]]);
  },
);

it(
  "delays no other session, and the next call of its turn begins when it has its result",
  BROAD,
  async () => {
    const { mcp, desk } = await open("modern");
    const { key } = desk;
    const id = await desk.begin(`${ACT}\n${ACT}\n/say Done.`);
    await lookedAt(mcp, 0);
    const before = mcp.tasks.length;
    const other = `/v1/sessions/${await createSession(key, desk.agent)}/replies`;
    const said = await request("POST", other, { key, body: { input: "/say Here." } });
    mcp.finish(0, "first");
    await lookedAt(mcp, 1);
    mcp.finish(1, "second");
    const reply = await desk.settled(id);

    expect([said.body["status"], before]).toEqual(["completed", 1]);
    expect(textsOf(reply)).toEqual(["first", "second"]);
  },
);

it("is asked for in the older era only where the tool has to be a task", BROAD, async () => {
  const { mcp, desk } = await open("legacy", { support: "optional" });
  const reply = await desk.say(`${ACT}\n/say Done.`);

  expect(desk.textOf(reply.results[0])).toBe("without a task");
  expect(mcp.posted("tasks/get")).toEqual([]);
});

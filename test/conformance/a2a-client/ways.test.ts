// Ways to an agent of another system beside a plain call: its sign-in, its typed questions, calls by hand, and stops.
import { expect, it, onTestFinished } from "vitest";

import { sampled } from "../../support/breadth.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import { CALL, openRemoteDesk } from "../../support/a2a-remote/remote-desk.ts";
import { startSdkAgent, type Play } from "../../support/a2a-remote/sdk-agent.ts";
import { statesOf, textsOf, type TaskReply } from "../../support/mcp/task-desk.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

async function start(play: Play, options?: Parameters<typeof startSdkAgent>[1]) {
  const agent = await startSdkAgent(play, options);
  onTestFinished(() => agent.stop());
  return agent;
}

const ANSWER: Play = (turn) => {
  turn.task();
  turn.artifact("a", [{ text: `You said ${turn.text}.` }]);
  turn.status("TASK_STATE_COMPLETED");
};

it("a credential is sent as the card says, and taken out of what the agent repeats in pieces", async () => {
  const agent = await start(
    (turn) => {
      turn.task();
      turn.artifact("a", [{ text: "Your token is tok-123" }]);
      turn.artifact("a", [{ text: "-secret, is it not?" }], { append: true });
      turn.status("TASK_STATE_COMPLETED");
    },
    { token: "tok-123-secret" },
  );
  const { key } = await createTenant();
  const body = {
    type: "tool",
    name: "Agent",
    secret: "tok-123-secret",
    allowed_hosts: [new URL(agent.url).host],
  };
  const credential = await request<{ id: string }>("POST", "/v1/credentials", { key, body });
  const tool = { type: "a2a", name: "play", read_only: true, card: { url: agent.url } };
  const tools = [{ ...tool, credential_id: credential.body.id }];
  const agentId = await createAgent(key, { name: "Desk", tools });
  const path = `/v1/sessions/${await createSession(key, agentId)}/replies`;
  const reply = await request<TaskReply>("POST", path, {
    key,
    body: { input: `${CALL}\n/say Done.` },
  });

  expect(credential.status).toBe(201);
  expect(agent.requests.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer tok-123-secret",
  ]);
  expect([statesOf(reply.body), textsOf(reply.body)]).toEqual([
    ["success"],
    ["Your token is [redacted], is it not?"],
  ]);
});

it("a call that the agent wants confirmed is confirmed by the field alone, as data", async () => {
  const extensions = [{ uri: A2A_EXTENSION }];
  const question = {
    kind: "confirmation",
    call_id: "call_9",
    tool: "refund_order",
    arguments: '{"order_id":"A-1"}',
  };
  const agent = await start(
    (turn) => {
      turn.task();
      if (turn.isAnswer) {
        turn.artifact("a", [{ text: JSON.stringify(turn.data) }]);
        turn.status("TASK_STATE_COMPLETED");
        return;
      }
      const asked = { data: { [A2A_EXTENSION]: { questions: [question] } } };
      turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Confirm." }, asked]);
    },
    { extensions },
  );
  const desk = await openRemoteDesk({ card: { url: agent.url } });
  const id = await desk.begin(`${CALL}\n/say Done.`);
  const waiting = await desk.settled(id);
  await desk.answer(waiting, { action: "accept", content: { confirmed: true } });
  const reply = await waitFor(async () => {
    const read = await desk.read(id);
    expect(read.status).toBe("completed");
    return read;
  });

  expect(waiting.pending[0]?.elicitation).toMatchObject({
    requests: { call_9: { message: 'May it call refund_order?\n{"order_id":"A-1"}' } },
  });
  const answers = [{ kind: "confirmation", call_id: "call_9", confirmed: true }];
  expect(textsOf(reply)).toEqual([JSON.stringify([{ [A2A_EXTENSION]: { answers } }])]);
  expect(agent.requests[0]?.headers["a2a-extensions"]).toBe(A2A_EXTENSION);
});

it("a sign-in that the agent needs waits for a person, and the task goes on by itself", async () => {
  const signed = Promise.withResolvers<void>();
  const agent = await start(async (turn) => {
    turn.task();
    const link = { url: "https://id.example/sign-in" };
    turn.status("TASK_STATE_AUTH_REQUIRED", [{ text: "Sign in first." }, link]);
    await signed.promise;
    turn.artifact("a", [{ text: "Signed in." }]);
    turn.status("TASK_STATE_COMPLETED");
  });
  const desk = await openRemoteDesk({ card: { url: agent.url } });
  const id = await desk.begin(`${CALL}\n/say Done.`);
  const waiting = await desk.settled(id);
  signed.resolve();
  await desk.answer(waiting, { action: "accept" });
  const reply = await waitFor(async () => {
    const read = await desk.read(id);
    expect(read.status).toBe("completed");
    return read;
  });

  expect(waiting.pending[0]?.elicitation).toMatchObject({
    requests: { errand: { mode: "url", url: "https://id.example/sign-in" } },
  });
  expect([textsOf(reply), statesOf(reply)]).toEqual([["Signed in."], ["success"]]);
});

it("a run of AG-UI whose call is let go beside one that asks ends with the question", async () => {
  const agent = await start(
    async (turn) => {
      turn.task();
      await new Promise(() => undefined);
    },
    { streaming: false },
  );
  const about = { read_only: true, concurrency_safe: true };
  const tools = [
    { type: "a2a", name: "play", card: { url: agent.url }, ...about },
    { type: "external", name: "ask", ...about },
  ];
  const { key, agentId } = await openRemoteDesk({}, { tools });
  const content = `${CALL}\n/call ask {}\n/say Done.`;
  const running = await openRequest("POST", `/v1/agents/${agentId}/ag-ui`, {
    key,
    body: {
      threadId: crypto.randomUUID(),
      runId: "run-1",
      state: {},
      messages: [{ id: "m1", role: "user", content }],
      tools: [],
      context: [],
      forwardedProps: {},
    },
  });
  const frames = (await running.text())
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as object] : []));

  expect(frames.at(-1)).toMatchObject({
    type: "RUN_FINISHED",
    outcome: {
      type: "interrupt",
      interrupts: [
        { reason: "agentscope:external_execution", message: "The result of ask is awaited." },
      ],
    },
  });
});

for (const [rows, breadth] of sampled([true, false])) {
  it.each(rows)(
    "a tool is called by hand, streaming %s, and checked by its card",
    breadth,
    async (streaming) => {
      const agent = await start(ANSWER, { streaming });
      const desk = await openRemoteDesk({ card: { url: agent.url } });
      const { key, agentId } = desk;
      const called = await request<{ result: object }>(
        "POST",
        `/v1/agents/${agentId}/tools/play/call`,
        { key, body: { input: { message: "Go" } } },
      );
      const checked = await request<{ tools: object[] }>("POST", `/v1/agents/${agentId}/check`, {
        key,
        body: {},
      });

      expect(called.body.result).toMatchObject({
        state: "success",
        output: [{ type: "text", text: "You said Go." }],
      });
      expect([checked.status, checked.body]).toEqual([200, expect.anything()]);
      expect(checked.body.tools).toMatchObject([
        { name: "play", status: "ok", host: new URL(agent.url).host },
      ]);
    },
  );
}

it("a task that a person stops is cancelled there, and its call has ended", async () => {
  const agent = await start(
    async (turn) => {
      turn.task();
      await new Promise(() => undefined);
    },
    { streaming: false },
  );
  const desk = await openRemoteDesk({ card: { url: agent.url } });
  const id = await desk.begin(`${CALL}\n/say Done.`);
  const [task] = await waitFor(async () => {
    const tasks = await desk.tasks();
    expect(tasks).toHaveLength(1);
    return tasks;
  });
  await request("POST", `${desk.path}/tasks/${String(task?.["id"])}/cancel`, { key: desk.key });
  await waitFor(() => expect(agent.cancelled).toHaveLength(1));
  const reply = await desk.settled(id);

  expect([reply.status, statesOf(reply)]).toEqual(["completed", ["error"]]);
  expect(textsOf(reply)[0]).toContain("stopped by a person");
});

it("a card that is not there fails the call, and sends nothing", async () => {
  const agent = await start(ANSWER);
  const desk = await openRemoteDesk({ card: { url: `${agent.url}/nothing/card.json` } });
  const reply = await desk.settled(await desk.begin(`${CALL}\n/say Done.`));

  expect(statesOf(reply)).toEqual(["error"]);
  expect(agent.requests.filter(({ method }) => method === "POST")).toEqual([]);
});

// SendMessage: tasks and contexts, waiting and not waiting, over both bindings.
import { expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { A2aStreamResponse, A2aTask } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  ASKING,
  callA2a,
  LABELLING,
  messageOf,
  openA2aDesk,
  readTask,
  sendA2a,
} from "../../support/a2a/a2a-desk.ts";
import { textsOf } from "../../support/a2a/a2a-stream.ts";
import { HOLD, startGateTool } from "../../support/gate-tool.ts";
import { request } from "../../support/platform-client.ts";

const NOWHERE = "00000000-0000-4000-8000-000000000000";

it("3.1.1-1: a message is answered with its task, over either binding", BROAD, async () => {
  const desk = await openA2aDesk();
  const answers = [];
  for (const binding of A2A_BINDINGS) {
    const params = messageOf("/say Hello.");
    answers.push(await callA2a<A2aStreamResponse>(desk, binding, "SendMessage", params));
  }

  expect(answers.map(({ status, result }) => [status, Object.keys(result ?? {})])).toEqual([
    [200, ["task"]],
    [200, ["task"]],
  ]);
});

it("3.2.2-1: an answer waits until the task has ended, or waits for somebody", async () => {
  const desk = await openA2aDesk();
  const ended = await sendA2a(desk, messageOf("/wait 300\n/say Hello."));
  const asking = await sendA2a(desk, messageOf(ASKING));
  const labelling = await sendA2a(desk, messageOf(LABELLING, {}, { returnImmediately: false }));

  expect([ended, asking, labelling].map(({ status }) => status.state)).toEqual([
    "TASK_STATE_COMPLETED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_INPUT_REQUIRED",
  ]);
});

it(
  "SendMessageConfiguration-2: without returnImmediately an answer has the end of its task",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const states = [];
    for (const binding of A2A_BINDINGS) {
      for (const configuration of [undefined, {}, { returnImmediately: false }]) {
        const task = await sendA2a(
          desk,
          messageOf("/wait 100\n/say Hi.", {}, configuration),
          binding,
        );
        states.push(task.status.state);
      }
    }

    expect(states).toEqual(states.map(() => "TASK_STATE_COMPLETED"));
  },
);

it("3.2.2-2: an answer that has waited brings the status and all artifacts", BROAD, async () => {
  const desk = await openA2aDesk();
  const script = `/say One.\n/call print_label {}\n/say Two.`;
  const asked = await sendA2a(desk, messageOf(script));
  const whole = await sendA2a(desk, messageOf("/say One.\n/data image/png aGVsbG8="));

  expect(Object.values(textsOf(asked))).toEqual(["One."]);
  expect(asked.status).toMatchObject({ state: "TASK_STATE_INPUT_REQUIRED", message: {} });
  expect(whole.artifacts?.map(({ parts }) => Object.keys(parts[0] ?? {})[0])).toEqual([
    "text",
    expect.stringMatching(/^(raw|url)$/),
  ]);
  expect(await readTask(desk, whole.id)).toEqual(whole);
});

it("3.2.2-3: with returnImmediately a task is returned while its reply runs", async () => {
  const gate = await startGateTool();
  const desk = await openA2aDesk({ tools: [gate.tool] });
  const states = [];
  for (const binding of A2A_BINDINGS) {
    const params = messageOf(`${HOLD}\n/say Done.`, {}, { returnImmediately: true });
    const { id, status } = await sendA2a(desk, params, binding);
    states.push(status.state);
    await callA2a(desk, binding, "CancelTask", { id });
  }
  gate.open();

  expect(states).toEqual(
    states.map(() => expect.stringMatching(/^TASK_STATE_(SUBMITTED|WORKING)$/)),
  );
});

it("3.4.1-1: a context that the server has made is in the task, and goes on by its id", async () => {
  const desk = await openA2aDesk();
  const first = await sendA2a(desk, messageOf("/say One."));
  const next = await sendA2a(desk, messageOf("/say Two.", { contextId: first.contextId }));
  const session = await request("GET", `/v1/sessions/${first.contextId}`, { key: desk.key });

  expect(first.contextId).not.toBe("");
  expect(next).toMatchObject({ contextId: first.contextId });
  expect(next.id).not.toBe(first.id);
  expect(session.body).toMatchObject({ id: first.contextId, agent_id: desk.agentId });
});

it("3.4.1-2: a context that is none of the agent's, or has no fitting name, is refused", async () => {
  const [desk, other] = [await openA2aDesk(), await openA2aDesk()];
  const { contextId } = await sendA2a(other, messageOf("/say One."));
  const refused = [];
  for (const binding of A2A_BINDINGS) {
    for (const wish of [contextId, 17, "x".repeat(100_000)]) {
      const params = messageOf("/say Two.", { contextId: wish });
      refused.push(await callA2a(desk, binding, "SendMessage", params));
    }
  }

  expect(refused.map(({ result }) => result)).toEqual(refused.map(() => undefined));
  expect(refused.map(({ error }) => error?.message)).toEqual(refused.map(() => expect.any(String)));
});

it(
  "3.4.1-3: in the place of a refused context none is made, and a name of the client's is kept",
  BROAD,
  async () => {
    const [desk, other] = [await openA2aDesk(), await openA2aDesk()];
    const { contextId } = await sendA2a(other, messageOf("/say One."));
    await callA2a(desk, "JSONRPC", "SendMessage", messageOf("/say Two.", { contextId }));
    const sessions = await request<{ data: unknown[] }>("GET", "/v1/sessions", { key: desk.key });
    const named = await sendA2a(desk, messageOf("/say Three.", { contextId: "order/17 é" }));
    const again = await sendA2a(desk, messageOf("/say Four.", { contextId: "order/17 é" }));
    const after = await request<{ data: unknown[] }>("GET", "/v1/sessions", { key: desk.key });

    expect(sessions.body.data).toEqual([]);
    expect([named.contextId, again.contextId]).toEqual(["order/17 é", "order/17 é"]);
    expect(after.body.data).toHaveLength(1);
  },
);

it("3.4.2-1: every new task has an id of its own", BROAD, async () => {
  const desk = await openA2aDesk();
  const { contextId, id } = await sendA2a(desk, messageOf("/say 0"));
  const others = [];
  for (const place of [{}, {}, { contextId }, { contextId }]) {
    others.push((await sendA2a(desk, messageOf("/say 1", place))).id);
  }

  expect(new Set([id, ...others]).size).toBe(5);
});

it("3.4.2-2: the id of a task is in what is returned, and finds it", BROAD, async () => {
  const desk = await openA2aDesk();
  const { id, contextId } = await sendA2a(desk, messageOf("/say Hello."));

  expect(await readTask(desk, id)).toMatchObject({ id, contextId });
});

it("3.4.2-4: a message to a task that does not exist is refused with TaskNotFoundError", async () => {
  const desk = await openA2aDesk();
  const refused = [];
  for (const binding of A2A_BINDINGS) {
    for (const taskId of [NOWHERE, "made-up", "x".repeat(200)]) {
      const params = messageOf("/say Hello.", { taskId });
      const { error } = await callA2a(desk, binding, "SendMessage", params);
      refused.push(error?.reason);
    }
  }

  expect(refused.filter((reason) => reason !== "TASK_NOT_FOUND")).toEqual([]);
});

it("3.4.3-1: a message with a task alone is of that task's context", BROAD, async () => {
  const desk = await openA2aDesk();
  const asked = await sendA2a(desk, messageOf(LABELLING, { contextId: "labels" }));
  const told = await sendA2a(desk, messageOf("And now?", { taskId: asked.id }));

  expect(told).toMatchObject({ id: asked.id, contextId: "labels" });
});

it("3.4.3-2: a message whose context is not that of its task is refused", BROAD, async () => {
  const desk = await openA2aDesk();
  const asked = await sendA2a(desk, messageOf(LABELLING));
  const other = await sendA2a(desk, messageOf("/say Hello."));
  const refused = [];
  for (const binding of A2A_BINDINGS) {
    for (const contextId of [other.contextId, "another"]) {
      const params = messageOf("Well?", { taskId: asked.id, contextId });
      refused.push(await callA2a(desk, binding, "SendMessage", params));
    }
  }

  expect(refused.map(({ result }) => result)).toEqual(refused.map(() => undefined));
  expect((await readTask(desk, asked.id)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
});

it(
  "SendMessageConfiguration-1: an answer has no more history than was asked for",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const lengths = [];
    for (const binding of A2A_BINDINGS) {
      for (const historyLength of [0, 1, 100]) {
        const task = await sendA2a(desk, messageOf("/say Hello.", {}, { historyLength }), binding);
        lengths.push(task.history?.length ?? 0);
      }
    }
    const negative = messageOf("/say Hello.", {}, { historyLength: -1 });
    const { error } = await callA2a(desk, "JSONRPC", "SendMessage", negative);

    expect(lengths).toEqual([0, 1, expect.any(Number), 0, 1, expect.any(Number)]);
    expect(error?.code).toBe(-32_602);
  },
);

it(
  "Message-1: messages of the server have their context, and the task that they belong to",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const { id, contextId, status } = await sendA2a(desk, messageOf(ASKING));
    const { history = [] } = await readTask(desk, id);
    const messages = [...history, ...(status.message ? [status.message] : [])];
    const ofServer = messages.filter(({ role }) => role === "ROLE_AGENT");

    expect(ofServer.length).toBeGreaterThan(0);
    expect(messages.map((message) => [message.contextId, message.taskId])).toEqual(
      messages.map(() => [contextId, id]),
    );
  },
);

it("3.7-1: what the agent says is in artifacts, whatever its messages say", async () => {
  const desk = await openA2aDesk();
  const {
    artifacts,
    status,
    history = [],
  } = await sendA2a(desk, messageOf("/think I wonder.\n/say The answer."));
  const said = history.filter(({ role }) => role === "ROLE_AGENT");

  expect(artifacts?.map(({ parts }) => parts)).toEqual([[{ text: "The answer." }]]);
  expect(status.message).toBeUndefined();
  expect(JSON.stringify(said)).not.toContain("I wonder.");
});

it("4-1: a task is the same JSON over either binding", BROAD, async () => {
  const desk = await openA2aDesk();
  const { id } = await sendA2a(desk, messageOf("/say Hello.\n/data image/png aGVsbG8="));
  const [rpc, rest] = await Promise.all(
    A2A_BINDINGS.map((binding) => callA2a<A2aTask>(desk, binding, "GetTask", { id })),
  );

  expect(rpc?.result).toBeDefined();
  expect(rest?.result).toEqual(rpc?.result);
});

it("GetTaskRequest-2: GetTask has no more history than was asked for", BROAD, async () => {
  const desk = await openA2aDesk();
  const { id } = await sendA2a(desk, messageOf("/say Hello."));
  const lengths = [];
  for (const binding of A2A_BINDINGS) {
    for (const historyLength of [0, 1, 100]) {
      const params = { id, historyLength };
      const { result } = await callA2a<A2aTask>(desk, binding, "GetTask", params);
      lengths.push(result?.history?.length ?? 0);
    }
  }

  expect(lengths.map((length) => length <= 100)).toEqual(lengths.map(() => true));
  expect([lengths[0], lengths[1], lengths[3], lengths[4]]).toEqual([0, 1, 0, 1]);
});

it("a message that is sent again is one act, within its context", BROAD, async () => {
  const desk = await openA2aDesk();
  const params = messageOf("/say Hello.", { contextId: "orders" });
  const first = await sendA2a(desk, params);
  const again = await sendA2a(desk, params, "HTTP+JSON");
  const elsewhere = { message: { ...params.message, contextId: "others" } };

  expect(again).toEqual(first);
  expect((await sendA2a(desk, elsewhere)).id).not.toBe(first.id);
});

it("a message to a task that has ended is refused with UnsupportedOperationError", async () => {
  const desk = await openA2aDesk();
  const { id } = await sendA2a(desk, messageOf("/say Hello."));
  const reasons = [];
  for (const binding of A2A_BINDINGS) {
    for (const method of ["SendMessage", "SendStreamingMessage"]) {
      const params = messageOf("More.", { taskId: id });
      reasons.push((await callA2a(desk, binding, method, params)).error?.reason);
    }
  }

  expect(reasons).toEqual(reasons.map(() => "UNSUPPORTED_OPERATION"));
});

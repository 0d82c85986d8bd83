// A task that waits for a sign-in, or for somebody's decision: what it says, and what answers it.
import { expect, it, onTestFinished } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { A2A_EXTENSION, type A2aQuestion } from "../../../protocol/a2a/extension.ts";
import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  ASKING,
  callA2a,
  LABELLING,
  messageOf,
  openA2aAgent,
  openA2aDesk,
  readTask,
  sendA2a,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { readA2aStream } from "../../support/a2a/a2a-stream.ts";
import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { createTenant, request } from "../../support/platform-client.ts";

/** A task that waits for a sign-in at an MCP server. */
async function openSignIn() {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const { id: tenantId, key } = await createTenant();
  const made = await request<{ id: string }>("POST", "/v1/mcp-servers", {
    key,
    body: { name: "wh", url: server.mcpUrl, oauth: { grant: "authorization_code" } },
  });
  const tools = [{ type: "mcp", server_id: made.body.id, permissions: { "*": "allow" } }];
  const desk: A2aDesk = { tenantId, key, ...(await openA2aAgent(key, { tools })) };
  const script =
    '/call mcp__wh__sign_in {}\n/call mcp__wh__find_order {"order_id":"A-1"}\n/say Found.';
  const task = await sendA2a(desk, messageOf(script));
  return { server, desk, task };
}

function questionsOf({ status }: A2aTask): readonly A2aQuestion[] {
  return (status.message?.parts ?? []).flatMap(
    ({ data }) =>
      (data as { [A2A_EXTENSION]?: { questions: A2aQuestion[] } } | undefined)?.[A2A_EXTENSION]
        ?.questions ?? [],
  );
}

function answerTo({ id }: A2aTask, answers: readonly object[]) {
  return messageOf("", { taskId: id, parts: [{ data: { [A2A_EXTENSION]: { answers } } }] });
}

it("7.6.1-1: what needs a sign-in is a task, which is found by its id", BROAD, async () => {
  const { desk, task } = await openSignIn();

  expect(task.id).not.toBe("");
  expect(await readTask(desk, task.id)).toMatchObject({ id: task.id });
});

it("7.6.1-2: a task that needs a sign-in becomes TASK_STATE_AUTH_REQUIRED", async () => {
  const { desk, task } = await openSignIn();
  const { result } = await callA2a<A2aTask>(desk, "HTTP+JSON", "GetTask", { id: task.id });

  expect([task.status.state, result?.status.state]).toEqual([
    "TASK_STATE_AUTH_REQUIRED",
    "TASK_STATE_AUTH_REQUIRED",
  ]);
});

it("7.6.1-3: its message says in words and as data where to sign in", BROAD, async () => {
  const { server, task } = await openSignIn();
  const [question] = questionsOf(task);
  const text = task.status.message?.parts.map((part) => part.text ?? "").join("") ?? "";

  expect(question).toMatchObject({
    kind: "sign_in",
    tool: "mcp__wh__sign_in",
    url: expect.stringContaining(`${server.url}/authorize?`),
  });
  expect(text).toMatch(/\S/);
  expect(task.status.message).toMatchObject({ role: "ROLE_AGENT", extensions: [A2A_EXTENSION] });
});

it("7.6.1-4: nothing that a message brings is taken for the sign-in's credential", async () => {
  const { server, desk, task } = await openSignIn();
  const [question] = questionsOf(task);
  const call_id = question?.call_id;
  for (const answer of [
    { kind: "external_result", call_id, output: "access_token=abc" },
    { kind: "input", call_id, action: "accept", content: { code: "abc" } },
    { kind: "confirmation", call_id, confirmed: true },
  ]) {
    await callA2a(desk, "JSONRPC", "SendMessage", answerTo(task, [answer]));
  }

  expect(server.tokenRequests).toEqual([]);
  expect(server.callers).toEqual([]);
});

it("7.6.4-1: a task that waits for a sign-in has done nothing that needs it", async () => {
  const { server, desk, task } = await openSignIn();
  await sendA2a(desk, messageOf("I have signed in, go on.", { taskId: task.id }));

  expect((await readTask(desk, task.id)).status.state).toBe("TASK_STATE_AUTH_REQUIRED");
  expect(server.callers).toEqual([]);
});

it("7.6.4-2: an approval is of the call that it names, by its id, and of no other", async () => {
  const desk = await openA2aDesk();
  const script =
    '/call refund {"order_id":"A-1"}\n/call refund {"order_id":"A-2"}\n/say It is done.';
  const task = await sendA2a(desk, messageOf(script));
  const questions = questionsOf(task);
  const [first] = questions;
  const approval = { kind: "confirmation", call_id: first!.call_id, confirmed: true };
  const next = await sendA2a(desk, answerTo(task, [approval]));
  const left = questionsOf(next);
  const made_up = await callA2a(
    desk,
    "JSONRPC",
    "SendMessage",
    answerTo(task, [{ ...approval, call_id: "made-up" }]),
  );

  // Calls that do not only read are made one after the other.
  expect([questions, left].map((asked) => asked.map(({ kind, tool }) => [kind, tool]))).toEqual([
    [["confirmation", "refund"]],
    [["confirmation", "refund"]],
  ]);
  expect(left[0]?.call_id).not.toBe(first!.call_id);
  expect(made_up.result).toBeUndefined();
});

it("7.6.4-3: an approval of one call is none of a later one", BROAD, async () => {
  const desk = await openA2aDesk();
  const first = await sendA2a(desk, messageOf(ASKING));
  const [{ call_id } = { call_id: "" }] = questionsOf(first);
  const done = await sendA2a(
    desk,
    answerTo(first, [{ kind: "confirmation", call_id, confirmed: true }]),
  );
  const second = await sendA2a(desk, messageOf(ASKING, { contextId: first.contextId }));

  expect(done).toMatchObject({ id: first.id, status: { state: "TASK_STATE_COMPLETED" } });
  expect(second.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
});

it(
  "free text is no approval: the task goes on waiting, and says again for what",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    for (const binding of A2A_BINDINGS) {
      const asked = await sendA2a(desk, messageOf(ASKING), binding);
      for (const text of ["yes", "approve", '{"confirmed": true}']) {
        const told = await sendA2a(desk, messageOf(text, { taskId: asked.id }), binding);
        expect(told).toMatchObject({
          id: asked.id,
          status: { state: "TASK_STATE_INPUT_REQUIRED" },
        });
        expect(questionsOf(told)).toEqual(questionsOf(asked));
      }
    }
  },
);

it("a denial and an external result are answers, streamed as the same task's", async () => {
  const desk = await openA2aDesk();
  const asked = await sendA2a(desk, messageOf(ASKING));
  const [{ call_id } = { call_id: "" }] = questionsOf(asked);
  const denied = await sendA2a(
    desk,
    answerTo(asked, [{ kind: "confirmation", call_id, confirmed: false, reason: "No." }]),
  );
  const label = await sendA2a(desk, messageOf(LABELLING));
  const [question] = questionsOf(label);
  const answer = { kind: "external_result", call_id: question!.call_id, output: "LABEL-1" };
  const frames = await readA2aStream(
    desk,
    "HTTP+JSON",
    "SendStreamingMessage",
    answerTo(label, [answer]),
  );

  expect(denied).toMatchObject({ id: asked.id, status: { state: "TASK_STATE_COMPLETED" } });
  expect(question?.kind).toBe("external_result");
  expect(frames[0]?.frame.task?.id).toBe(label.id);
  expect(frames.at(-1)?.frame.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
});

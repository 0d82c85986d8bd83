// The two bindings beside each other: the same operations, and the same of each. What is kept, and who can delete it.
import { expect, it, onTestFinished } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { A2aPushConfig, A2aTask } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  A2A_METHODS,
  ASKING,
  callA2a,
  LABELLING,
  messageOf,
  openA2aDesk,
  sendA2a,
} from "../../support/a2a/a2a-desk.ts";
import { readA2aStream } from "../../support/a2a/a2a-stream.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";

const SECRET = "a-secret-of-the-receiver";

it("5.1-1: both bindings have every operation", BROAD, async () => {
  const desk = await openA2aDesk();
  const { id } = await sendA2a(desk, messageOf(LABELLING));
  const seen = [];
  for (const method of A2A_METHODS) {
    const params = method.startsWith("Send")
      ? messageOf("/say Hi.")
      : { id, taskId: id, url: "https://example.com/hook" };
    const reasons = [];
    for (const binding of A2A_BINDINGS) {
      if (method === "SubscribeToTask" || method === "SendStreamingMessage") {
        const frames = method.startsWith("Send")
          ? await readA2aStream(desk, binding, method, params)
          : [];
        reasons.push(frames.length);
        continue;
      }
      const { status, error } = await callA2a(desk, binding, method, params);
      reasons.push([404, 405].includes(status) || error?.code === -32_601 ? "missing" : "there");
    }
    seen.push([method, reasons[0] === reasons[1] && reasons[0] !== "missing"]);
  }

  expect(seen).toEqual(
    A2A_METHODS.map((method) => [method, method === "CancelTask" ? expect.any(Boolean) : true]),
  );
});

it("5.1-2: the same requests have the same results over both bindings", async () => {
  const results = [];
  for (const binding of A2A_BINDINGS) {
    const desk = await openA2aDesk();
    const sent = await sendA2a(desk, messageOf("/say Hello."), binding);
    const asked = await sendA2a(desk, messageOf(ASKING, { contextId: "orders" }), binding);
    const list = await callA2a(desk, binding, "ListTasks", { contextId: "orders" });
    const cancelled = await callA2a(desk, binding, "CancelTask", { id: asked.id });
    const frames = await readA2aStream(
      desk,
      binding,
      "SendStreamingMessage",
      messageOf("/say Hi."),
    );
    results.push(
      shapeOf([sent, asked, list.result, cancelled.result, frames.map(({ frame }) => frame)]),
    );
  }

  expect(results[1]).toEqual(results[0]);
});

/** Values without ids, times and numbers of places, which differ from one desk to the next. */
function shapeOf(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|m-\d+/g, "…")
    .replaceAll(/"(\w*[iI]d|seq)":("[^"]*"|\d+)/g, '"$1":"…"');
  return JSON.parse(text) as unknown;
}

it("13.4-3: credentials of a config are shown nowhere, and in no list or export", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.stop());
  const desk = await openA2aDesk();
  const config = {
    url: `${receiver.url}/hook/200`,
    token: SECRET,
    authentication: { scheme: "Bearer", credentials: SECRET },
  };
  const params = messageOf(LABELLING, {}, { taskPushNotificationConfig: config });
  const task = await sendA2a(desk, params);
  const shown: unknown[] = [task];
  for (const binding of A2A_BINDINGS) {
    const { result } = await callA2a<{ configs: A2aPushConfig[] }>(
      desk,
      binding,
      "ListTaskPushNotificationConfigs",
      { taskId: task.id },
    );
    expect(result?.configs).toHaveLength(1);
    shown.push(result);
  }
  for (const path of ["", "/events?limit=100", "/messages"]) {
    const { body } = await request("GET", `/v1/sessions/${task.contextId}${path}`, {
      key: desk.key,
    });
    shown.push(body);
  }

  expect(JSON.stringify(shown)).not.toContain(SECRET);
});

it(
  "13.4-5: a deleted session takes its tasks along, for every caller and from every list",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const { id, contextId } = await sendA2a(desk, messageOf("/say Hello."));
    await request("DELETE", `/v1/sessions/${contextId}`, { key: desk.key });
    await waitFor(async () => {
      const { error } = await callA2a(desk, "JSONRPC", "GetTask", { id });
      const { result } = await callA2a<{ tasks: A2aTask[] }>(desk, "JSONRPC", "ListTasks");
      expect([error?.reason, result?.tasks]).toEqual(["TASK_NOT_FOUND", []]);
    });
  },
);

it(
  "14.1.1-6: a task's history and artifacts go with the end user whose they are",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const body = { agent_id: desk.agentId, end_user_id: "ada" };
    const session = await request<{ id: string }>("POST", "/v1/sessions", { key: desk.key, body });
    const { id } = await sendA2a(desk, messageOf("/say Private.", { contextId: session.body.id }));
    const { status } = await request("DELETE", "/v1/end-users/ada", { key: desk.key });
    expect(Math.floor(status / 100)).toBe(2);
    await waitFor(async () => {
      const { error } = await callA2a(desk, "JSONRPC", "GetTask", { id });
      const { result } = await callA2a<{ tasks: A2aTask[] }>(desk, "JSONRPC", "ListTasks");
      expect([error?.reason, result?.tasks]).toEqual(["TASK_NOT_FOUND", []]);
    });
  },
);

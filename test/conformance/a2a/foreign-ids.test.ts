// Ids of others: over every method and binding they are answered as ids that never were.
import { expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  A2A_METHODS,
  callA2a,
  LABELLING,
  messageOf,
  openA2aAgent,
  openA2aDesk,
  readTask,
  sendA2a,
  type A2aAnswer,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { createAgent, createSession, request } from "../../support/platform-client.ts";
import { startTokenIssuer } from "../../support/token-issuer.ts";

/** An id that has the form of a task's, and never was one. */
function neverLike(id: string): string {
  return id.slice(0, -1) + (id.endsWith("0") ? "1" : "0");
}

/** Methods that name a task; the others have none. */
const OF_TASKS = A2A_METHODS.filter((name) => !/^(ListTasks|GetExtended)/.test(name));

function paramsOf(method: string, id: string): Record<string, unknown> {
  if (method.startsWith("Send")) return messageOf("And?", { taskId: id });
  const url = "https://example.com/hook";
  if (method.startsWith("Create")) return { taskId: id, url };
  return method.includes("Config") ? { taskId: id, id: "mine" } : { id };
}

/** The words of an answer, without the id that the caller has sent. */
function told(id: string, { status, error, result, headers }: A2aAnswer<unknown>) {
  const type = headers.get("content-type");
  const text = JSON.stringify({ status, error, result, type });
  return text
    .replaceAll(id, "<id>")
    .replaceAll(/"timestamp":"[^"]*"/g, '"timestamp":"…"')
    .replaceAll(/req_\w+|m-\d+/g, "…");
}

async function askAll(desk: A2aDesk, id: string, key = desk.key) {
  const answers: string[] = [];
  for (const binding of A2A_BINDINGS) {
    for (const method of OF_TASKS) {
      const answer = await callA2a(desk, binding, method, paramsOf(method, id), { key });
      answers.push(`${binding} ${method}: ${told(id, answer)}`);
    }
  }
  return answers;
}

/** A task that waits and has a config, so that nothing but whose it is decides. */
async function openWaiting(desk: A2aDesk, key = desk.key): Promise<A2aTask> {
  const task = await sendA2a(desk, messageOf(LABELLING), "JSONRPC", { key });
  await callA2a(
    desk,
    "JSONRPC",
    "CreateTaskPushNotificationConfig",
    { taskId: task.id, id: "mine", url: "https://example.com/hook" },
    { key },
  );
  return task;
}

it(
  "13.1-8: another tenant's task is answered as one that never was, by every method",
  BROAD,
  async () => {
    const [desk, other] = [await openA2aDesk(), await openA2aDesk()];
    const task = await openWaiting(other);
    const never = await askAll(desk, neverLike(task.id));

    expect(await askAll(desk, task.id)).toEqual(never);
    expect(never.filter((answer) => !answer.includes("TASK_NOT_FOUND"))).toEqual([]);
    expect((await readTask(other, task.id)).status).toEqual(task.status);
  },
);

it("13.1-3: a task of another agent of the tenant is answered as one that never was", async () => {
  const desk = await openA2aDesk();
  const other = { ...desk, ...(await openA2aAgent(desk.key)) };
  const task = await openWaiting(other);

  expect(await askAll(desk, task.id)).toEqual(await askAll(desk, neverLike(task.id)));
  expect((await readTask(other, task.id)).status).toEqual(task.status);
});

it(
  "a task of another end user, or of another session than the token's, is one that never was",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const issuer = await startTokenIssuer();
    await request("POST", "/v1/token-issuers", {
      key: desk.key,
      body: {
        name: "Sign-in",
        issuer: issuer.issuer,
        jwks_url: issuer.jwksUrl,
        audience: "a2a",
        verbs: ["reply", "interrupt", "tool_result", "confirm"],
      },
    });
    const [ada, bob] = await Promise.all(
      ["ada", "bob"].map((sub) => issuer.sign({ sub, aud: "a2a" })),
    );
    const task = await openWaiting(desk, ada);
    const elsewhere = await sendA2a(desk, messageOf("/say Hi."));
    const { body } = await request<{ token: string }>(
      "POST",
      `/v1/sessions/${elsewhere.contextId}/tokens`,
      { key: desk.key, body: { verbs: ["read", "reply", "interrupt", "tool_result"] } },
    );

    expect(await askAll(desk, task.id, bob)).toEqual(await askAll(desk, neverLike(task.id), bob));
    expect(await askAll(desk, task.id, body.token)).toEqual(
      await askAll(desk, neverLike(task.id), body.token),
    );
    expect((await readTask(desk, task.id)).status).toEqual(task.status);
  },
);

it("contexts and page tokens of others lead to nothing", BROAD, async () => {
  const [desk, other] = [await openA2aDesk(), await openA2aDesk()];
  const foreign = await openWaiting(other);
  await openWaiting(other);
  const ofOther = await createSession(desk.key, await createAgent(desk.key));
  const page = await callA2a<{ nextPageToken: string }>(other, "JSONRPC", "ListTasks", {
    pageSize: 1,
  });
  const lists = [];
  for (const binding of A2A_BINDINGS) {
    for (const contextId of [foreign.contextId, ofOther, "never", neverLike(foreign.contextId)]) {
      const { result, error } = await callA2a(desk, binding, "ListTasks", { contextId });
      lists.push(JSON.stringify(result ?? error).replaceAll(contextId, "<id>"));
    }
  }
  const sent = [];
  for (const contextId of [foreign.contextId, ofOther]) {
    sent.push(
      await callA2a(desk, "HTTP+JSON", "SendMessage", messageOf("/say Hi.", { contextId })),
    );
  }
  const pageToken = page.result?.nextPageToken;
  const turned = await callA2a<{ tasks: A2aTask[] }>(desk, "JSONRPC", "ListTasks", { pageToken });

  expect(new Set(lists.slice(0, 4)).size).toBe(1);
  expect(new Set(lists.slice(4)).size).toBe(1);
  expect(sent.map(({ result }) => result)).toEqual([undefined, undefined]);
  expect(turned.result?.tasks ?? []).toEqual([]);
});

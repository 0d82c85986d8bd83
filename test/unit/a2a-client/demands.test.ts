// Demands of the specification on every client, by what an agent has received: the ids are those of docs/a2a.md.
import { expect, onTestFinished, test } from "vitest";

import { readCard } from "../../../a2a/cards/read-card.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import { follow, message, openClient } from "../../support/a2a-remote/open-client.ts";
import { startLyingAgent, statusOf, taskOf } from "../../support/a2a-remote/lying-agent.ts";

const GIVEN = { id: "p1", url: "https://ours.example/v1/remote-pushes/rp_1" };
const CONFIG = { ...GIVEN, secret: "s" };
const options = { signal: new AbortController().signal };

/** An agent with a tenant in its card that was sent a message, and asked for its task in each way. */
async function askedAgent() {
  const agent = await startLyingAgent(
    ({ method, frame, answer, response }) => {
      if (method === "GetTask" || method === "CancelTask") return answer(taskOf("COMPLETED"));
      if (method.includes("PushNotificationConfig")) return answer({ id: "p1" });
      frame({ task: taskOf("WORKING") });
      frame(statusOf("COMPLETED"));
      response.end();
    },
    { tenant: "acme" },
  );
  onTestFinished(() => agent.stop());
  const client = openClient(agent.card);
  await follow(client, message("Go"));
  await client.getTask("t1", options);
  await client.cancelTask("t1", options);
  for await (const read of client.subscribe("t1", options)) if (!read.ok) break;
  await client.createPush("t1", CONFIG, options);
  await client.deletePush("t1", "p1", options);
  return agent;
}

async function tenantOf(wanted: string): Promise<unknown> {
  const { asked } = await askedAgent();
  return asked.find(({ method }) => method === wanted)?.params["tenant"];
}

test("SendMessageRequest-1: a message has the tenant of the interface", async () => {
  expect(await tenantOf("SendStreamingMessage")).toBe("acme");
});

test("GetTaskRequest-1: a task is asked for with the tenant of the interface", async () => {
  expect(await tenantOf("GetTask")).toBe("acme");
});

test("CancelTaskRequest-1: a task is cancelled with the tenant of the interface", async () => {
  expect(await tenantOf("CancelTask")).toBe("acme");
});

test("SubscribeToTaskRequest-1: a task is subscribed to with the tenant of the interface", async () => {
  expect(await tenantOf("SubscribeToTask")).toBe("acme");
});

test("TaskPushNotificationConfig-1: a config has the tenant of the interface", async () => {
  expect(await tenantOf("CreateTaskPushNotificationConfig")).toBe("acme");
});

test("DeleteTaskPushNotificationConfigRequest-1: a config is deleted with the tenant of the interface", async () => {
  expect(await tenantOf("DeleteTaskPushNotificationConfig")).toBe("acme");
});

/** Of all requests of a task's whole life, as this client makes them. */
async function methodsAsked(): Promise<readonly string[]> {
  const methods = (await askedAgent()).methods();
  expect(methods).toContain("SendStreamingMessage");
  return methods;
}

test("ListTasksRequest-1: tasks are asked for by their ids and never listed, without a tenant or with it", async () => {
  expect(await methodsAsked()).not.toContain("ListTasks");
});

test("GetTaskPushNotificationConfigRequest-1: no config is read back, without a tenant or with it", async () => {
  expect(await methodsAsked()).not.toContain("GetTaskPushNotificationConfig");
});

test("ListTaskPushNotificationConfigsRequest-1: no configs are listed, without a tenant or with it", async () => {
  expect(await methodsAsked()).not.toContain("ListTaskPushNotificationConfigs");
});

test("GetExtendedAgentCardRequest-1: no extended card is asked for, without a tenant or with it", async () => {
  expect(await methodsAsked()).not.toContain("GetExtendedAgentCard");
});

test("3.1.11-1: an agent that has an extended card is asked for none, without a credential or with one", async () => {
  const agent = await startLyingAgent(({ answer }) => answer({ task: taskOf("COMPLETED") }), {
    streaming: false,
  });
  onTestFinished(() => agent.stop());
  const capabilities = { ...agent.card.capabilities, extendedAgentCard: true };

  await follow(openClient({ ...agent.card, capabilities }), message("Go"));

  expect(new Set(agent.methods())).toEqual(new Set(["SendMessage", "GetTask"]));
});

test("3.7-2: what an agent has in a task's history is no part of what its call gives", async () => {
  const history = [{ messageId: "m", role: "ROLE_AGENT", parts: [{ text: "Earlier." }] }];
  const agent = await startLyingAgent(({ answer }) => answer(taskOf("COMPLETED", { history })));
  onTestFinished(() => agent.stop());

  const read = await openClient(agent.card).getTask("t1", options);

  expect(read).toEqual({ ok: true, value: taskOf("COMPLETED", { artifacts: [] }) });
  expect(agent.asked[0]?.params).toEqual({ id: "t1", historyLength: 0 });
});

test("11.5-4: a key in the query is encoded, and so is an id in the path", async () => {
  const agent = await startLyingAgent(({ raw }) => raw(404, "text/plain", "None"), {
    binding: "HTTP+JSON",
  });
  onTestFinished(() => agent.stop());
  const key = "a&b=c d/%é";
  const authorization = {
    authorize: () =>
      Promise.resolve({ ok: true, headers: {}, query: { key }, secrets: [key] } as const),
  };

  await openClient(agent.card, { authorization }).getTask("t/1?x", options);

  expect(agent.methods()).toEqual([
    "GET /tasks/t%2F1%3Fx?historyLength=0&key=a%26b%3Dc+d%2F%25%C3%A9",
  ]);
});

test("3.6.1-1: every request says the version that is spoken", async () => {
  const { asked } = await askedAgent();

  const versions = asked.map(({ request }) => request.headers["a2a-version"]);
  expect(new Set(versions)).toEqual(new Set(["1.0"]));
  expect(versions.length).toBeGreaterThan(3);
});

test("14.2.1-1: a patch of a version in a card is no part of what is asked for", async () => {
  const agent = await startLyingAgent(({ answer }) => answer(taskOf("COMPLETED")));
  onTestFinished(() => agent.stop());
  const supportedInterfaces = agent.card.supportedInterfaces.map((one) => ({
    ...one,
    protocolVersion: "1.0.1",
  }));

  await openClient({ ...agent.card, supportedInterfaces }).getTask("t1", options);

  expect(agent.asked.map(({ request }) => request.headers["a2a-version"])).toEqual(["1.0"]);
});

test("AgentExtension-1: an agent that requires an extension which is not spoken is not used", async () => {
  const agent = await startLyingAgent(() => undefined);
  onTestFinished(() => agent.stop());
  const requiring = (uri: string) =>
    readCard({ ...agent.card, capabilities: { extensions: [{ uri, required: true }] } }, null);

  expect(requiring("urn:other")).toEqual({
    ok: false,
    reason: 'requires the extension "urn:other", which is not spoken here',
  });
  expect(requiring(A2A_EXTENSION)).toMatchObject({ ok: true });
});

test.each([
  [
    "1.0",
    "CreateTaskPushNotificationConfig",
    { taskId: "t1", ...GIVEN, token: "s", authentication: { scheme: "Bearer", credentials: "s" } },
    "DeleteTaskPushNotificationConfig",
    { taskId: "t1", id: "theirs" },
  ],
  [
    "0.3",
    "tasks/pushNotificationConfig/set",
    {
      taskId: "t1",
      pushNotificationConfig: {
        ...GIVEN,
        token: "s",
        authentication: { schemes: ["Bearer"], credentials: "s" },
      },
    },
    "tasks/pushNotificationConfig/delete",
    { id: "t1", pushNotificationConfigId: "theirs" },
  ],
])("an address of ours is given and taken back in the words of %s", async (...row) => {
  const [version, create, created, remove, removed] = row;
  const config = { id: "theirs", url: CONFIG.url };
  const agent = await startLyingAgent(({ method, answer }) => {
    if (method === remove) return answer(null);
    answer(version === "1.0" ? config : { taskId: "t1", pushNotificationConfig: config });
  });
  onTestFinished(() => agent.stop());
  const supportedInterfaces = agent.card.supportedInterfaces.map((one) => ({
    ...one,
    protocolVersion: version,
  }));
  const client = openClient({ ...agent.card, supportedInterfaces });

  expect(await client.createPush("t1", CONFIG, options)).toEqual({ ok: true, value: "theirs" });
  await client.deletePush("t1", "theirs", options);
  expect(agent.asked.map(({ method, params }) => [method, params])).toEqual([
    [create, created],
    [remove, removed],
  ]);
});

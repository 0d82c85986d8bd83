// Demands of the specification on every client, by what an agent has received: the ids are those of docs/a2a.md.
import { expect, onTestFinished, test } from "vitest";

import { readCard } from "../../../a2a/cards/read-card.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import { follow, message, openClient } from "../../support/a2a-remote/open-client.ts";
import { startLyingAgent, statusOf, taskOf } from "../../support/a2a-remote/lying-agent.ts";

const options = { signal: new AbortController().signal };

/** An agent with a tenant in its card that was sent a message, and asked for its task in each way. */
async function askedAgent() {
  const agent = await startLyingAgent(
    ({ method, frame, answer, response }) => {
      if (method === "GetTask" || method === "CancelTask") return answer(taskOf("COMPLETED"));
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

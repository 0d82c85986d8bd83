// Contexts of tools that are agents of other systems: one for each call, or one for a session.
import { expect, it, onTestFinished } from "vitest";

import { CALL, openRemoteDesk } from "../../support/a2a-remote/remote-desk.ts";
import { startSdkAgent } from "../../support/a2a-remote/sdk-agent.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

async function open(settings: object) {
  const agent = await startSdkAgent((turn) => {
    turn.task();
    turn.artifact("a", [{ text: "Done." }]);
    turn.told("TASK_STATE_COMPLETED", { usage: { promptTokenCount: 7, candidatesTokenCount: 2 } });
  });
  onTestFinished(() => agent.stop());
  const desk = await openRemoteDesk({ card: { url: agent.url }, ...settings });
  const contexts = () =>
    agent.requests.flatMap(({ body }) => {
      const { params } = body as { params: { message?: { contextId?: string } } };
      return params.message ? [params.message.contextId] : [];
    });
  return { desk, contexts };
}

const TWICE = `${CALL}\n${CALL}\n/say Done.`;

it("a tool whose context is the session's goes on in it, in later calls and replies", async () => {
  const { desk, contexts } = await open({ context: "session" });
  await desk.settled(await desk.begin(TWICE));
  await desk.settled(await desk.begin(`${CALL}\n/say Done.`));
  const [first, second, third, ...more] = contexts();

  expect([first, more]).toEqual([undefined, []]);
  expect([typeof second, third]).toEqual(["string", second]);
});

it("a fork of the session begins the tool's context anew", async () => {
  const { desk, contexts } = await open({ context: "session" });
  const { key } = desk;
  await desk.settled(await desk.begin(`${CALL}\n/say Done.`));
  const fork = await request<{ id: string }>("POST", `${desk.path}/fork`, { key, body: {} });
  const path = `/v1/sessions/${fork.body.id}/replies`;
  await request("POST", path, { key, body: { input: `${CALL}\n/say Done.` } });

  await waitFor(() => expect(contexts()).toEqual([undefined, undefined]));
});

it("a restore of the session begins the tool's context anew, and the same one again changes nothing", async () => {
  const { desk, contexts } = await open({ context: "session" });
  const { key, path } = desk;
  await desk.settled(await desk.begin(`${CALL}\n/say Done.`));
  const { body: at } = await request<{ cursor: number }>("GET", path, { key });
  await desk.settled(await desk.begin(`${CALL}\n/say Done.`));
  const body = { cursor: at.cursor };
  const restored = await request<object>("POST", `${path}/restore`, { key, body });
  const again = await request<object>("POST", `${path}/restore`, { key, body });

  await desk.settled(await desk.begin(`${CALL}\n/say Done.`));

  expect(again.body).toEqual(restored.body);
  expect(contexts()).toEqual([undefined, expect.any(String), undefined]);
});

it("a tool that says nothing begins a context with each call, and tells what its task has used", async () => {
  const { desk, contexts } = await open({});
  const reply = await desk.settled(await desk.begin(TWICE));
  const results = reply.message.content.filter(({ type }) => type === "tool_result");

  expect(contexts()).toEqual([undefined, undefined]);
  const usage = { input_tokens: 7, output_tokens: 2, cost_usd: null };
  expect(results).toMatchObject([
    { metadata: { a2a: { usage } } },
    { metadata: { a2a: { usage } } },
  ]);
});

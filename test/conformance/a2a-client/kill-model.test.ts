/** @module-tag broad */
// The platform killed with kill -9 while an agent of another system gives a reply.
import { expect, onTestFinished, test } from "vitest";

import { startSdkAgent, type Play } from "../../support/a2a-remote/sdk-agent.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const platform = mortalPlatform();

interface Read {
  readonly id: string;
  readonly status: string;
  readonly message: {
    readonly content: readonly { readonly type: string; readonly text?: string }[];
    readonly error: { readonly message: string } | null;
  };
}

async function open(play: Play) {
  const agent = await startSdkAgent(play);
  onTestFinished(() => agent.stop());
  const key = await platform.createTenant();
  async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const { base_url } = await platform.running();
    const response = await fetch(base_url + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    return (await response.json()) as Body;
  }
  const model = { provider: "a2a", card: { url: agent.url } };
  const made = await ask<{ id: string }>("POST", "/v1/agents", { name: "Desk", model });
  const session = await ask<{ id: string }>("POST", "/v1/sessions", { agent_id: made.id });
  const path = `/v1/sessions/${session.id}/replies`;
  const begun = await ask<Read>("POST", path, { input: "Go", background: true });
  return { agent, read: () => ask<Read>("GET", `${path}/${begun.id}`) };
}

const sent = (agent: { methods(): readonly string[] }): number =>
  agent.methods().filter((method) => method === "SendStreamingMessage").length;

const textsOf = ({ message }: Read) =>
  message.content.flatMap(({ type, text }) => (type === "text" ? [text] : []));

test("a task that streamed when the machine was lost is fetched, and nothing is sent again", async () => {
  const gate = Promise.withResolvers<void>();
  const { agent, read } = await open(async (turn) => {
    turn.task();
    turn.artifact("a", [{ text: "Begun, " }]);
    await gate.promise;
    turn.artifact("a", [{ text: "and done." }], { append: true, lastChunk: true });
    turn.status("TASK_STATE_COMPLETED");
  });
  await waitFor(async () => expect(textsOf(await read())).toEqual(["Begun, "]));
  await platform.kill();
  await platform.running();
  gate.resolve();
  const reply = await waitFor(async () => {
    const now = await read();
    expect(now.status).toBe("completed");
    return now;
  });

  expect(textsOf(reply)).toEqual(["Begun, and done."]);
  expect([sent(agent), agent.cancelled]).toEqual([1, []]);
});

test("a message whose answer never came ends its reply, and is not sent again", async () => {
  const { agent, read } = await open(() => new Promise(() => undefined));
  await waitFor(() => expect(sent(agent)).toBe(1));
  await platform.kill();
  const reply = await waitFor(async () => {
    const now = await read();
    expect(now.status).toBe("error");
    return now;
  });

  expect(reply.message.error?.message).toContain("not sent again");
  expect(sent(agent)).toBe(1);
});

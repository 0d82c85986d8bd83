// Agents that call each other over A2A: each call says how many have done so above it.
import { expect, inject, it, onTestFinished } from "vitest";

import { CALL } from "../../support/a2a-remote/remote-desk.ts";
import { startSdkAgent } from "../../support/a2a-remote/sdk-agent.ts";
import { createAgent, createTenant } from "../../support/platform-client.ts";

it.each(["tool", "model"])(
  "an agent that is called at a depth calls an agent as its %s one deeper",
  async (place) => {
    const agent = await startSdkAgent((turn) => turn.reply("Hello"));
    onTestFinished(() => agent.stop());
    const { key } = await createTenant();
    const card = { url: agent.url };
    const definition =
      place === "tool"
        ? { tools: [{ type: "a2a", name: "play", read_only: true, card }] }
        : { model: { provider: "a2a", card } };
    const id = await createAgent(key, { name: "Desk", a2a: { enabled: true }, ...definition });

    const parts = [{ text: place === "tool" ? `${CALL}\n/say Done.` : "Hello" }];
    const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts };
    const sent = await fetch(`${inject("baseUrl")}/v1/agents/${id}/a2a/message:send`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "A2A-Version": "1.0",
        "Reprise-A2A-Depth": "3",
      },
      body: JSON.stringify({ message }),
    });

    expect(await sent.json()).toMatchObject({
      task: { status: { state: "TASK_STATE_COMPLETED" } },
    });
    expect(agent.requests.map(({ headers }) => headers["reprise-a2a-depth"])).toEqual(["4"]);
  },
);

// Contexts whose request has died between the session's object and its row in D1, without which the session is erased soon.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent, makeTenant } from "../support/api.ts";

it.each([
  ["a context of a message's own", {}],
  ["a context of a client's own name", { contextId: "my orders" }],
])("%s is listed by the next message where the first one did not come to it", async (_, about) => {
  const { call } = await makeTenant();
  const agent = await makeAgent(call, { name: "Desk", a2a: { enabled: true } });
  const message = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "/say Hi." }], ...about };
  const headers = { "A2A-Version": "1.0" };
  const send = async () => {
    const path = `/v1/agents/${agent.id}/a2a/message:send`;
    const sent = await ask<{ task: A2aTask }>("POST", path, {
      ...call,
      headers,
      json: { message },
    });
    return sent.json.task;
  };
  const listed = async () => {
    const { json } = await ask<{ data: readonly Session[] }>("GET", "/v1/sessions", call);
    return json.data.map(({ id }) => id);
  };

  const first = await send();
  const [id] = await listed();
  await env.DB.prepare("DELETE FROM sessions WHERE id = ?").bind(id).run();
  const again = await send();

  expect([again.id, again.status.state]).toEqual([first.id, "TASK_STATE_COMPLETED"]);
  expect(await listed()).toEqual([id]);
});

// First messages, which begin a context of their own: sent again they are the same one, and refused ones leave nothing behind.
import { expect, inject, it } from "vitest";

import {
  A2A_BINDINGS,
  callA2a,
  messageOf,
  openA2aAgent,
  openA2aDesk,
  sendA2a,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

async function sessionsOf({ key }: A2aDesk): Promise<readonly { readonly id: string }[]> {
  const path = "/v1/sessions";
  return (await request<{ data: readonly { id: string }[] }>("GET", path, { key })).body.data;
}

it("a first message that is sent again is the same context and task, by whatever binding and key", async () => {
  const desk = await openA2aDesk();
  const params = messageOf("/say Hello.");
  const first = await sendA2a(desk, params);
  const made = await request<{ api_key: string }>("POST", "/v1/api-keys", {
    key: desk.key,
    body: { scopes: ["sessions:read", "sessions:write", "replies:write"] },
  });
  const again = await sendA2a(desk, params, "HTTP+JSON", { key: made.body.api_key });

  expect(again).toEqual(first);
  expect(await sessionsOf(desk)).toHaveLength(1);
});

it("first messages that are sent at once are one context", async () => {
  const desk = await openA2aDesk();
  const params = messageOf("/say Hello.");
  const answers = await Promise.all(
    [...A2A_BINDINGS, ...A2A_BINDINGS].map((binding) =>
      callA2a<{ task?: { id: string } }>(desk, binding, "SendMessage", params),
    ),
  );
  const ids = new Set(answers.flatMap(({ result }) => result?.task?.id ?? []));

  expect([ids.size, await sessionsOf(desk)]).toEqual([1, [expect.anything()]]);
});

it("a first message of another text, agent or id is another context", async () => {
  const desk = await openA2aDesk();
  const { message } = messageOf("/say Hello.");
  const other = { ...desk, ...(await openA2aAgent(desk.key)) };
  const ids = [
    await sendA2a(desk, { message }),
    await sendA2a(desk, { message: { ...message, parts: [{ text: "/say Bye." }] } }),
    await sendA2a(desk, { message: { ...message, messageId: "another" } }),
    await sendA2a(other, { message }),
  ].map(({ contextId }) => contextId);

  expect(new Set(ids).size).toBe(4);
});

it("a first message that a quota refuses leaves no session behind, and is taken once there is room", async () => {
  const desk = await openA2aDesk();
  const running = messageOf("/wait 60000", { contextId: "busy" }, { returnImmediately: true });
  const { id } = await sendA2a(desk, running);
  await request("PATCH", `/v1/tenants/${desk.tenantId}`, {
    key: inject("operatorKey"),
    body: { quotas: { running_replies: 1 } },
  });
  const params = messageOf("/say Hello.");
  const refused = await callA2a(desk, "HTTP+JSON", "SendMessage", params);
  const left = await sessionsOf(desk);
  await callA2a(desk, "JSONRPC", "CancelTask", { id });
  const { status } = await sendA2a(desk, params);

  expect([refused.status, left.length]).toEqual([429, 1]);
  expect(status.state).toBe("TASK_STATE_COMPLETED");
});

it("a first message whose media are refused leaves no session behind", async () => {
  const desk = await openA2aDesk();
  const url = `${inject("baseUrl")}/v1/files/file_00000000000000000000000000`;
  const parts = [{ text: "Look." }, { url, mediaType: "image/png" }];
  const refused = await callA2a(desk, "HTTP+JSON", "SendMessage", messageOf("", { parts }));

  expect(refused.status).toBe(400);
  await waitFor(async () => expect(await sessionsOf(desk)).toEqual([]));
});

// A refund that nobody allows in time: the model learns why, and the customer gets an answer.
import { expect, inject, it } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { BROAD } from "../../support/breadth.ts";

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" } },
  required: ["order_id"],
};

/** A reply of the refund desk that waits for a person, who has two seconds. */
async function askForRefund() {
  const { key } = await createTenant();
  const url = (name: string) => `${inject("toolsUrl")}/${name}`;
  const agentId = await createAgent(key, {
    confirmation_ttl: 2,
    tools: [
      {
        type: "http",
        name: "lookup_order",
        url: url("lookup_order"),
        input_schema: ORDER,
        read_only: true,
      },
      { type: "http", name: "refund_order", url: url("refund_order"), input_schema: ORDER },
    ],
  });
  const path = `/v1/sessions/${await createSession(key, agentId)}`;
  const body = { input: "I want my money back for A-1003." };
  const { body: reply } = await request<Reply>("POST", `${path}/replies`, { key, body });
  return { key, path, reply };
}

async function readEnded({ key, path, reply }: Awaited<ReturnType<typeof askForRefund>>) {
  const read = () => request<Reply>("GET", `${path}/replies/${reply.id}`, { key });
  await expect.poll(async () => (await read()).body.status).toBe("completed");
  return (await read()).body;
}

it("a confirmation that expires denies the call, and the model says so to the customer", async () => {
  const asked = await askForRefund();
  const [call] = asked.reply.pending;

  const { message } = await readEnded(asked);

  const reason = "The call of refund_order was denied. Nobody answered in time whether it may run.";
  expect([asked.reply.status, call?.tool_call.state]).toEqual(["awaiting_permission", "asking"]);
  const result = message?.content.find(
    (block) => block.type === "tool_result" && block.id === call?.tool_call.id,
  );
  expect(result).toMatchObject({ state: "denied", output: [{ type: "text", text: reason }] });
  expect(message?.content.at(-1)).toMatchObject({
    type: "text",
    text: expect.stringContaining(`The refund was not made: ${reason}`),
  });
});

it(
  "an answer that comes after that finds nothing that waits, and stands in no record",
  BROAD,
  async () => {
    const asked = await askForRefund();
    const [call] = asked.reply.pending;
    await readEnded(asked);

    const { status, body } = await request("POST", `${asked.path}/events`, {
      key: asked.key,
      body: {
        type: "USER_CONFIRM_RESULT",
        reply_id: asked.reply.id,
        confirm_results: [{ confirmed: true, tool_call: { id: call?.tool_call.id } }],
      },
    });

    const decisions = await request<{ data: { decided_by: object; behavior: string }[] }>(
      "GET",
      `${asked.path}/decisions`,
      { key: asked.key },
    );
    expect([status, body["code"]]).toEqual([409, "call_not_pending"]);
    expect(
      decisions.body.data
        .filter((decision) => JSON.stringify(decision).includes(call?.tool_call.id ?? ""))
        .map(({ behavior, decided_by }) => [behavior, decided_by]),
    ).toEqual([
      ["deny", { kind: "platform", id: null }],
      ["ask", { kind: "platform", id: null }],
    ]);
  },
);

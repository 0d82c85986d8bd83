// The sentence with which a person is asked about a call: the same wherever the call is shown.
import { expect, test } from "vitest";

import type { Confirmation } from "../../../protocol/confirmations/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeTenant } from "../support/api.ts";
import { DESK, openParked, REFUND, REFUND_TOOL } from "../support/parked-session.ts";

const ASKING = { ...REFUND_TOOL, confirmation_message: "Refund order {order_id}?" };

test("a question is the tool's own sentence, wherever the call is shown", async () => {
  const { call, path, session, reply, pending } = await openParked(REFUND, {
    ...DESK,
    tools: [ASKING],
  });
  const events = await ask("GET", `${path}/events?reply_id=${reply.id}&format=ag-ui`, {
    ...call,
    headers: { Accept: "text/event-stream" },
  });

  expect([
    pending.map(({ question }) => question),
    (await ask<Session>("GET", path, call)).json.pending.map(({ question }) => question),
    events.text.includes('"message":"Refund order A-1001?"'),
  ]).toEqual([["Refund order A-1001?"], ["Refund order A-1001?"], true]);
  await expect
    .poll(async () => {
      const list = await ask<Page<Confirmation>>("GET", "/v1/confirmations", call);
      return list.json.data.map(({ session_id, question }) => [session_id, question]);
    })
    .toEqual([[session.id, "Refund order A-1001?"]]);
});

test("a template that names a member the input cannot have is refused when it is written", async () => {
  const { call } = await makeTenant();
  const tools = [{ ...ASKING, confirmation_message: "Refund {orderId} of {{amount_cents}}?" }];

  const { status, json } = await ask("POST", "/v1/agents", { ...call, json: { ...DESK, tools } });

  expect([status, json.errors]).toEqual([
    400,
    [
      {
        pointer: "#/tools/0/confirmation_message",
        detail: "names {orderId}, which input_schema does not have; did you mean `order_id`?",
      },
    ],
  ]);
});

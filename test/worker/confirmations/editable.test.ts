// Tools say which parts of an input a person may edit, and that holds for keys as for everybody.
import { describe, expect, test } from "vitest";

import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Confirmation } from "../../../protocol/confirmations/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { EventReceipt } from "../../../protocol/events/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { confirmation, DESK, LABEL_TOOL, openParked, REFUND } from "../support/parked-session.ts";

type Parked = Awaited<ReturnType<typeof openParked>>;

const POINTER = "#/confirm_results/0/tool_call/input";

function openRefund(editable: readonly string[]) {
  const [refund, ...tools] = DESK.tools;
  return openParked(REFUND, { ...DESK, tools: [{ ...refund, editable }, ...tools] });
}

/** A yes with another input. */
function edited({ reply, pending: [asked] }: Parked, input: object) {
  const tool_call = { ...asked!.tool_call, input: JSON.stringify(input) };
  return {
    ...confirmation(reply, []),
    confirm_results: [{ confirmed: true, tool_call }],
    metadata: { input_hashes: { [tool_call.id]: asked!.input_hash } },
  };
}

describe("a tool that names what may be edited", () => {
  test("is called with that changed, and with nothing else", async () => {
    const parked = await openRefund(["/amount_cents"]);
    const token = await mintCall(parked.path, parked.call, { verbs: ["confirm", "edit"] });
    const before = await ask<Session>("GET", parked.path, parked.call);
    const refused = [];
    for (const credential of [parked.call, token]) {
      const json = edited(parked, { order_id: "B-2", amount_cents: 4200 });
      refused.push(await ask("POST", parked.events, { ...credential, json }));
    }
    const after = await ask<Session>("GET", parked.path, parked.call);
    const json = edited(parked, { order_id: "A-1001", amount_cents: 5 });
    const taken = await ask<EventReceipt>("POST", parked.events, { ...token, json });

    const detail = "The edited input changes /order_id; only /amount_cents may be edited.";
    expect(refused.map(({ status, json: { code, errors } }) => [status, code, errors])).toEqual(
      [1, 2].map(() => [400, "edited_input_invalid", [{ pointer: POINTER, detail }]]),
    );
    expect([after.json, taken.status, taken.json.applied]).toEqual([before.json, 202, true]);
  });

  test("is shown with it, and with why it asks, wherever the call is listed", async () => {
    const parked = await openRefund(["/amount_cents"]);
    const { json: session } = await ask<Session>("GET", parked.path, parked.call);
    const { json: list } = await ask<Page<Confirmation>>("GET", "/v1/confirmations", parked.call);
    const shown = [...parked.reply.pending, ...session.pending, ...list.data];

    const asks = { reason: "Mode: default", rule: null, untrusted: [] };
    expect(shown.map(({ editable, reasons }) => ({ editable, reasons }))).toEqual(
      shown.map(() => ({ editable: ["/amount_cents"], reasons: asks })),
    );
    expect(shown.length).toBeGreaterThanOrEqual(3);
  });

  test("and names nothing runs as it was asked about", async () => {
    const parked = await openRefund([]);
    const json = edited(parked, { order_id: "A-1001", amount_cents: 5 });
    const refused = await ask("POST", parked.events, { ...parked.call, json });
    const yes = confirmation(parked.reply, parked.pending);
    const taken = await ask("POST", parked.events, { ...parked.call, json: yes });

    expect([refused.json.code, refused.json.errors?.[0]?.detail, taken.status]).toEqual([
      "edited_input_invalid",
      "The edited input changes /amount_cents; nothing may be edited.",
      202,
    ]);
  });

  test("may be any that can ask, and is shown as it was written", async () => {
    const label = { ...LABEL_TOOL, read_only: false, editable: ["/amount_cents"] };
    const parked = await openParked('/call print_label {"order_id":"A-1001"}', {
      ...DESK,
      tools: [label],
    });
    const json = edited(parked, { order_id: "A-2" });
    const refused = await ask("POST", parked.events, { ...parked.call, json });
    const { json: agent } = await ask<Agent>("GET", `/v1/agents/${parked.agent.id}`, parked.call);

    expect([refused.json.code, agent.tools]).toMatchObject([
      "edited_input_invalid",
      [{ name: "print_label", editable: ["/amount_cents"] }],
    ]);
  });
});

// Rights of the address in a message: each endpoint has its own wish, and all get the same message.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { deliverEntries } from "../../../storage/outbox/deliver-entries.ts";
import { openToken } from "../../../storage/secrets/signed-token.ts";
import { makeEntry } from "../sessions/outbox-entry.ts";
import { makePending } from "../confirmations/pending-call.ts";
import { makeAgent, makeSession } from "../support/api.ts";
import { makeEndpoint, makeShop } from "./endpoint.ts";

describe("a message about calls that wait", () => {
  test("carries an address that may do what its endpoint says, under one id for all endpoints", async () => {
    const shop = await makeShop({ events: ["reply.*"] });
    const agent = await makeAgent(shop.call);
    const { id } = await makeSession(shop.call, { agent_id: agent.id });
    const events = ["confirmation.required", "external_execution.required"];
    const wishes = [undefined, ["confirm", "edit"], ["edit", "tool_result"], []];
    const endpoints = [];
    for (const callback_verbs of wishes) {
      endpoints.push(
        await makeEndpoint(shop.call, { events, ...(callback_verbs && { callback_verbs }) }),
      );
    }
    const owner = { tenantId: shop.tenantId, id, agent_id: agent.id };
    const parked = makeEntry(owner, {
      at: new Date().toISOString(),
      origin: "https://reprise.test",
      reply_status: "awaiting_permission",
      pending: [makePending("call_1"), makePending("call_2", { kind: "external_result" })],
    });
    await deliverEntries(shop.bindings, [parked]);

    const ids = new Set<string>();
    const seen = [];
    for (const endpoint of endpoints) {
      const { results } = await env.DB.prepare(
        "SELECT message_id, payload FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY type",
      )
        .bind(endpoint.id)
        .all<{ message_id: string; payload: string }>();
      const rights = [];
      for (const { message_id, payload } of results) {
        ids.add(message_id);
        const { data } = JSON.parse(payload) as { data: { callback_url: string | null } };
        const token = data.callback_url?.split("/").at(-1) ?? "";
        const opened = await openToken("callback", token, { current: env.KEY_PEPPER }, Date.now());
        rights.push(opened.ok ? (opened.claims.may_edit ?? false) : data.callback_url);
      }
      seen.push(rights);
    }

    // The yes, then the result.
    expect(seen).toEqual([
      [false, false],
      [true, null],
      [null, false],
      [null, null],
    ]);
    expect(ids.size).toBe(2);
  });
});

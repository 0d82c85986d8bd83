// Origins of addresses that are sent out: never a host that a request has chosen.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { deliverEntries } from "../../../storage/outbox/deliver-entries.ts";
import { makeEntry } from "../sessions/outbox-entry.ts";
import { makePending } from "../confirmations/pending-call.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";
import { runInput } from "../support/run-input.ts";
import { makeShop } from "../webhooks/endpoint.ts";

afterEach(() => vi.restoreAllMocks());

async function openAgent() {
  const { call, id: tenantId } = await makeTenant();
  return { call, tenantId, agent: await makeAgent(call) };
}

/** The origin that the session's object keeps. */
function originOf(tenantId: string, sessionId: string): Promise<string | undefined> {
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, sessionId));
  return runInDurableObject(stub, (_, { storage }) => {
    const [row] = storage.sql
      .exec<{ value: string }>("SELECT init AS value FROM session")
      .toArray();
    return (JSON.parse(row?.value ?? "{}") as { origin?: string }).origin;
  });
}

describe("in production", () => {
  test.each([undefined, "", "shop.example", "http://api.example", "https://api.example/v1"])(
    "nothing opens a session while PUBLIC_URL is %j, and the log says what to set",
    async (PUBLIC_URL) => {
      const error = vi.spyOn(console, "error").mockImplementation(() => {});
      const { call, agent } = await openAgent();
      const bindings = { ...env, ENVIRONMENT: "production", PUBLIC_URL };
      const json = { agent_id: agent.id };
      const answers = [
        await ask("POST", "/v1/sessions", { ...call, bindings, json }),
        await ask("POST", `/v1/agents/${agent.id}/ag-ui`, {
          ...call,
          bindings,
          json: runInput("customer-17", "Hello"),
        }),
      ];
      const { json: page } = await ask<{ data: unknown[] }>("GET", "/v1/sessions", call);

      expect(answers.map(({ status, json: { code } }) => [status, code])).toEqual([
        [503, "unavailable"],
        [503, "unavailable"],
      ]);
      expect(page.data).toEqual([]);
      expect(error.mock.calls.flat().every((line) => String(line).includes("PUBLIC_URL"))).toBe(
        true,
      );
      expect(error).toHaveBeenCalledTimes(2);
    },
  );

  test("a session's addresses begin with PUBLIC_URL, whatever host the request names", async () => {
    const { call, agent, tenantId } = await openAgent();
    const { json } = await ask<{ id: string }>("POST", "/v1/sessions", {
      ...call,
      bindings: { ...env, ENVIRONMENT: "production", PUBLIC_URL: "https://agents.example/" },
      headers: { Host: "evil.example", "X-Forwarded-Host": "evil.example" },
      json: { agent_id: agent.id },
    });

    expect(await originOf(tenantId, json.id)).toBe("https://agents.example");
  });

  test("callbacks of a session from before begin with it too, whatever host had opened that", async () => {
    const shop = await makeShop({ events: ["confirmation.required"] });
    const agent = await makeAgent(shop.call);
    const { id } = await makeSession(shop.call, { agent_id: agent.id });
    const entry = makeEntry(
      { tenantId: shop.tenantId, id, agent_id: agent.id },
      {
        at: new Date().toISOString(),
        origin: "https://evil.example",
        reply_status: "awaiting_permission",
        pending: [makePending("call_1")],
      },
    );
    const named = { ENVIRONMENT: "production", PUBLIC_URL: "https://agents.example" };
    await deliverEntries({ ...shop.bindings, ...named }, [entry]);
    const row = await env.DB.prepare("SELECT payload FROM webhook_deliveries WHERE tenant_id = ?")
      .bind(shop.tenantId)
      .first<{ payload: string }>();

    expect(row?.payload).toContain('"callback_url":"https://agents.example/v1/callbacks/cb_');
  });
});

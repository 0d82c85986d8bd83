// Client tokens as a browser's page meets them, over real connections.
import { describe, expect, inject, it } from "vitest";

import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import type { StreamTicket } from "../../../protocol/events/stream-tickets.ts";
import { createSession, createTenant, request } from "../../support/platform-client.ts";

const ORIGIN = "https://shop.example";

async function openRunning(wish: object) {
  const { key } = await createTenant();
  const path = `/v1/sessions/${await createSession(key)}`;
  const { body } = await request<ClientToken>("POST", `${path}/tokens`, { key, body: wish });
  await request("POST", `${path}/replies`, {
    key,
    body: { input: "/rate 20\n/words 20000", background: true },
  });
  return { key, path, id: body.id, token: body.token };
}

describe("a client token over HTTP", () => {
  it("mints a ticket for the stream of an EventSource, which ends when the token is revoked", async () => {
    const { key, path, id, token } = await openRunning({ allowed_origins: [ORIGIN] });
    const { body: ticket } = await request<StreamTicket>("POST", `${path}/stream-tickets`, {
      key: token,
      headers: { Origin: ORIGIN },
      body: { path: `${path}/events` },
    });
    const stream = await fetch(`${inject("baseUrl")}${ticket.path}`, {
      headers: { Accept: "text/event-stream", Origin: ORIGIN },
    });
    const reading = stream.text();
    const revoked = await request("DELETE", `${path}/tokens/${id}`, { key });
    const text = await reading;
    const again = await request<{ code: string }>("GET", ticket.path, {
      headers: { Origin: ORIGIN },
    });
    await request("POST", `${path}/interrupt`, { key });

    expect([
      stream.status,
      stream.headers.get("Access-Control-Allow-Origin"),
      revoked.status,
      text.includes("event: REPLY_START"),
      text.includes("event: REPLY_END"),
      again.body.code,
    ]).toEqual([200, "*", 204, true, false, "unauthenticated"]);
  });

  it("is asked for by any page's preflight, and used by the pages that it is for", async () => {
    const { key, path, token } = await openRunning({ allowed_origins: [ORIGIN] });
    const seen = [];
    for (const origin of [ORIGIN, "https://evil.example"]) {
      const preflight = await fetch(`${inject("baseUrl")}${path}`, {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": "authorization",
        },
      });
      const { status, headers } = await request("GET", path, {
        key: token,
        headers: { Origin: origin },
      });
      seen.push([
        preflight.status,
        preflight.headers.get("Access-Control-Allow-Origin"),
        status,
        headers.get("Access-Control-Allow-Origin"),
      ]);
    }
    await request("POST", `${path}/interrupt`, { key });

    expect(seen).toEqual([
      [204, "*", 200, "*"],
      [204, "*", 403, "*"],
    ]);
  });
});

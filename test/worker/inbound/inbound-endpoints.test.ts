import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type {
  CreatedInboundEndpoint,
  InboundEndpoint,
} from "../../../protocol/inbound/contract.ts";
import { DEFAULT_INBOUND_ENDPOINTS } from "../../../protocol/quotas/limits.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";

const PATH = "/v1/inbound-endpoints";
const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

async function makeEndpoint(call: { key: string }, name = "Label printer") {
  return (await ask<CreatedInboundEndpoint>("POST", PATH, { ...call, json: { name } })).json;
}

describe("an inbound endpoint", () => {
  test("is made with a secret that is shown once and kept sealed", async () => {
    const { call } = await makeTenant();
    const answer = await ask<CreatedInboundEndpoint>("POST", PATH, {
      ...call,
      json: { name: "Label printer" },
    });
    const { secret, ...shown } = answer.json;
    const { results } = await env.DB.prepare("SELECT * FROM inbound_endpoints WHERE id = ?")
      .bind(shown.id)
      .all();

    expect([answer.status, answer.headers.get("Location"), answer.json]).toEqual([
      201,
      `${PATH}/${shown.id}`,
      {
        id: expect.stringMatching(/^whi_[0-9a-z]{26}$/),
        name: "Label printer",
        created_at: expect.any(String),
        old_secret_expires_at: null,
        secret: SECRET,
      },
    ]);
    expect([
      (await ask("GET", `${PATH}/${shown.id}`, call)).json,
      (await ask("GET", PATH, call)).json,
      JSON.stringify(results).includes(secret.slice(6, 30)),
    ]).toEqual([shown, { data: [shown], has_more: false, next_page: null }, false]);
  });

  test("gets a new secret, beside which the old one is believed for a while", async () => {
    const { call } = await makeTenant();
    const made = await makeEndpoint(call);
    const before = Date.now();
    const { status, json } = await ask<CreatedInboundEndpoint>(
      "POST",
      `${PATH}/${made.id}/rotate-secret`,
      { ...call, json: { overlap_ms: 60_000 } },
    );
    const expiresMs = Date.parse(json.old_secret_expires_at ?? "");

    expect([status, json, json.secret === made.secret]).toEqual([
      200,
      { ...made, secret: SECRET, old_secret_expires_at: expect.any(String) },
      false,
    ]);
    expect(expiresMs - before).toBeGreaterThanOrEqual(60_000);
  });

  test("is listed newest first, in pages", async () => {
    const { call } = await makeTenant();
    const names = ["One", "Two", "Three"];
    for (const name of names) await makeEndpoint(call, name);
    const first = await ask<Page<InboundEndpoint>>("GET", `${PATH}?limit=2`, call);
    const next = `${PATH}?limit=2&page=${first.json.next_page}`;
    const second = await ask<Page<InboundEndpoint>>("GET", next, call);

    expect(
      [first, second].map(({ json }) => [json.data.map(({ name }) => name), json.has_more]),
    ).toEqual([
      [["Three", "Two"], true],
      [["One"], false],
    ]);
  });

  test("is gone once it was deleted", async () => {
    const { call } = await makeTenant();
    const { id } = await makeEndpoint(call);
    const statuses = [
      (await ask("DELETE", `${PATH}/${id}`, call)).status,
      (await ask("DELETE", `${PATH}/${id}`, call)).status,
      (await ask("GET", `${PATH}/${id}`, call)).status,
      (await ask("POST", `${PATH}/${id}/rotate-secret`, { ...call, json: {} })).status,
    ];

    expect(statuses).toEqual([204, 404, 404, 404]);
  });

  test("is one of fifty at most", async () => {
    const { id, call } = await makeTenant();
    const endpoint = await makeEndpoint(call);
    await env.DB.batch(
      Array.from({ length: DEFAULT_INBOUND_ENDPOINTS - 1 }, (_, index) =>
        env.DB.prepare(
          `INSERT INTO inbound_endpoints (id, tenant_id, name, sealed, created_at)
           VALUES (?, ?, 'Another', 'v1.a.b', ?)`,
        ).bind(`whi_${id}_${index}`, id, endpoint.created_at),
      ),
    );
    const json = { name: "One too many" };

    expect(refusalOf(await ask("POST", PATH, { ...call, json }))).toEqual({
      status: 429,
      code: "quota_exceeded",
      pointers: undefined,
    });
  });

  test.each([
    [{}, "#/name"],
    [{ name: "" }, "#/name"],
    [{ name: "A", secret: "whsec_x" }, "#/secret"],
  ])("is not made of %j", async (json, pointer) => {
    const { call } = await makeTenant();

    expect(refusalOf(await ask("POST", PATH, { ...call, json })).pointers).toEqual([pointer]);
  });

  test("is erased with its tenant, and so are the ids that it has taken", async () => {
    const [gone, kept] = [await makeTenant(), await makeTenant()];
    const endpoints = [await makeEndpoint(gone.call), await makeEndpoint(kept.call)];
    for (const [index, { id: tenantId }] of [gone, kept].entries()) {
      await env.DB.prepare("INSERT INTO inbound_messages VALUES (?, 'msg_1', ?, ?)")
        .bind(endpoints[index]!.id, tenantId, endpoints[index]!.created_at)
        .run();
    }
    await ask("DELETE", `/v1/tenants/${gone.id}`, OPERATOR);
    const rows = await env.DB.batch<{ tenant_id: string }>(
      ["inbound_endpoints", "inbound_messages"].map((table) =>
        env.DB.prepare(`SELECT tenant_id FROM ${table} WHERE tenant_id IN (?, ?)`).bind(
          gone.id,
          kept.id,
        ),
      ),
    );

    expect(rows.map(({ results }) => results)).toEqual([
      [{ tenant_id: kept.id }],
      [{ tenant_id: kept.id }],
    ]);
  });
});

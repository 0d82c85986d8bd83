// The routes of webhook endpoints and deliveries.
import { env } from "cloudflare:workers";
import { describe, expect, inject, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { WebhookDelivery } from "../../../protocol/webhooks/webhook-deliveries.ts";
import type {
  CreatedWebhookEndpoint,
  WebhookEndpoint,
} from "../../../protocol/webhooks/contract.ts";
import { DEFAULT_WEBHOOK_ENDPOINTS } from "../../../protocol/quotas/limits.ts";
import { WEBHOOK_KEPT_MS } from "../../../protocol/webhooks/limits.ts";
import { stableId } from "../../../storage/statements/stable-id.ts";
import { app } from "../../../worker/app.ts";
import type { Call } from "../support/api.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";
import {
  makeEndpoint,
  makeShop,
  readDeliveries,
  readEndpoint,
  receivedAt,
  receiverPath,
} from "./endpoint.ts";

const ENDPOINTS = "/v1/webhook-endpoints";
const SHOP = { url: "https://shop.example/webhooks", events: ["reply.*", "session.created"] };

function make(call: Call, json: unknown) {
  return ask<CreatedWebhookEndpoint>("POST", ENDPOINTS, { ...call, json });
}

describe("a webhook endpoint", () => {
  test("is made with a secret that is shown once", async () => {
    const { call } = await makeTenant();

    const made = await make(call, { ...SHOP, description: " The shop " });

    const { secret, ...shown } = made.json;
    const { id, created_at } = shown;
    expect([made.status, made.headers.get("Location")]).toEqual([201, `${ENDPOINTS}/${id}`]);
    expect(shown).toEqual({
      id: expect.stringMatching(/^whk_/),
      ...SHOP,
      callback_verbs: ["confirm", "tool_result"],
      member_links: false,
      description: "The shop",
      disabled: false,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      circuit: "closed",
      circuit_retry_at: null,
      created_at: expect.any(String),
      updated_at: created_at,
      old_secret_expires_at: null,
    });
    expect(atob(secret.replace(/^whsec_/, "")).length).toBe(32);
    const list = await ask<Page<WebhookEndpoint>>("GET", ENDPOINTS, call);
    expect([await readEndpoint(call, id), list.json.data]).toEqual([shown, [shown]]);
    const { results } = await env.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?")
      .bind(id)
      .all();
    expect(JSON.stringify(results)).not.toContain(secret.slice("whsec_".length));
  });

  test("says what its callback addresses may do, and may be changed in that", async () => {
    const { call } = await makeTenant();
    const json = { ...SHOP, callback_verbs: ["edit", "confirm", "edit"] };

    const { json: made } = await make(call, json);
    const path = `${ENDPOINTS}/${made.id}`;
    const { json: changed } = await ask<WebhookEndpoint>("PATCH", path, {
      ...call,
      json: { callback_verbs: [] },
    });
    const { json: kept } = await ask<WebhookEndpoint>("PATCH", path, { ...call, json: {} });

    expect([made, changed, kept].map(({ callback_verbs }) => callback_verbs)).toEqual([
      ["edit", "confirm"],
      [],
      [],
    ]);
  });

  test("warns when another endpoint of the tenant has its URL, and is made all the same", async () => {
    const [{ call }, stranger] = [await makeTenant(), await makeTenant()];
    await make(stranger.call, SHOP);

    const first = await make(call, SHOP);
    const second = await make(call, SHOP);
    const path = `${ENDPOINTS}/${second.json.id}`;
    const off = await ask("PATCH", path, { ...call, json: { disabled: true } });
    const moved = await ask("PATCH", path, { ...call, json: { url: "https://shop.example/b" } });
    const back = await ask("PATCH", path, { ...call, json: { url: SHOP.url, disabled: false } });

    const detail = `${first.json.id} has this URL too: it gets every event twice that both ask for`;
    const warnings = [{ pointer: "#/url", detail }];
    expect([first, off, moved].map(({ json }) => json.warnings)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([second.status, second.json.warnings, back.json["warnings"]]).toEqual([
      201,
      warnings,
      warnings,
    ]);
    expect(await readEndpoint(call, second.json.id)).not.toHaveProperty("warnings");
  });

  test("leaves out what stands twice among its events", async () => {
    const { call } = await makeTenant();

    const made = await make(call, { ...SHOP, events: ["*", "reply.*", "*"] });

    expect(made.json.events).toEqual(["*", "reply.*"]);
  });

  test.each([
    ["an unknown event", { ...SHOP, events: ["reply.begun"] }, "#/events/0"],
    ["a verb that no address has", { ...SHOP, callback_verbs: ["read"] }, "#/callback_verbs/0"],
    ["no events", { ...SHOP, events: [] }, "#/events"],
    ["no URL", { events: ["*"] }, "#/url"],
    ["what is no URL", { ...SHOP, url: "shop" }, "#/url"],
    ["plain http", { ...SHOP, url: "http://shop.example/" }, "#/url"],
    ["another scheme", { ...SHOP, url: "ftp://shop.example/" }, "#/url"],
    ["a private address", { ...SHOP, url: "https://0xa000001/" }, "#/url"],
    ["the cloud's metadata", { ...SHOP, url: "https://169.254.169.254/" }, "#/url"],
    ["a name of a network's own", { ...SHOP, url: "https://hooks.internal./" }, "#/url"],
    ["a password in the URL", { ...SHOP, url: "https://a:b@shop.example/" }, "#/url"],
    ["a secret of the caller's own", { ...SHOP, secret: "whsec_x" }, "#/secret"],
  ])("is not made with %s", async (_, json, pointer) => {
    const { call } = await makeTenant();

    const refused = await ask("POST", ENDPOINTS, { ...call, json });

    const refusal = { status: 400, code: "validation_failed", pointers: [pointer] };
    expect(refusalOf(refused)).toEqual(refusal);
  });

  test.each([
    ["#/url", { url: "http://shop.example/" }],
    ["#/url", { url: "https://[::ffff:10.0.0.1]/" }],
    ["#/events", { events: [] }],
    ["#/colour", { colour: "red" }],
  ])("is not changed where %s does not fit", async (pointer, json) => {
    const { call } = await makeTenant();
    const { secret: _, ...endpoint } = await makeEndpoint(call, SHOP);

    const refused = await ask("PATCH", `${ENDPOINTS}/${endpoint.id}`, { ...call, json });

    const refusal = { status: 400, code: "validation_failed", pointers: [pointer] };
    expect(refusalOf(refused)).toEqual(refusal);
    expect(await readEndpoint(call, endpoint.id)).toEqual(endpoint);
  });

  test("may lead to this machine on a local platform alone", async () => {
    const { call } = await makeTenant();
    const json = { ...SHOP, url: "http://127.0.0.1:9/hook" };

    const local = await make(call, json);
    const headers = { Authorization: `Bearer ${call.key}`, "Content-Type": "application/json" };
    const elsewhere = await app.request(
      ENDPOINTS,
      { method: "POST", headers, body: JSON.stringify(json) },
      { ...env, ENVIRONMENT: "production" },
    );

    expect([local.status, elsewhere.status]).toEqual([201, 400]);
  });

  test(`is not made when the tenant has ${DEFAULT_WEBHOOK_ENDPOINTS}`, async () => {
    const { call } = await makeTenant();
    for (let count = 0; count < DEFAULT_WEBHOOK_ENDPOINTS; count += 1)
      await makeEndpoint(call, SHOP);

    const refused = await ask("POST", ENDPOINTS, { ...call, json: SHOP });

    expect(refusalOf(refused)).toEqual({
      status: 429,
      code: "quota_exceeded",
      pointers: undefined,
    });
  });

  test("keeps what a change leaves out", async () => {
    const { call } = await makeTenant();
    const { secret: _, ...endpoint } = await makeEndpoint(call, { ...SHOP, description: "Shop" });
    const path = `${ENDPOINTS}/${endpoint.id}`;
    const patch = (json: object) => ask<WebhookEndpoint>("PATCH", path, { ...call, json });

    const moved = await patch({ url: "https://new.example/" });
    const wider = await patch({ events: ["*"], description: null });

    const updated_at = expect.any(String) as string;
    expect(moved.json).toEqual({ ...endpoint, url: "https://new.example/", updated_at });
    expect(wider.json).toEqual({ ...moved.json, events: ["*"], description: null, updated_at });
    expect(await readEndpoint(call, endpoint.id)).toEqual(wider.json);
  });

  test("that is disabled ends what waits, and enabled again forgets its failures", async () => {
    const shop = await makeShop({ url: inject("webhookReceiverUrl") + receiverPath("500") });
    const path = `${ENDPOINTS}/${shop.endpoint.id}`;
    const patch = (json: object) => ask<WebhookEndpoint>("PATCH", path, { ...shop.call, json });
    await shop.publish("1");
    await shop.consume(shop.held.take());

    const disabled = await patch({ disabled: true });
    const again = await patch({ disabled: true });
    await shop.publish("2");
    const enabled = await patch({ disabled: false });

    const { disabled_at, failing_since } = disabled.json;
    expect(disabled.json).toMatchObject({ disabled: true, disabled_reason: "tenant" });
    expect([again.json.disabled_at, failing_since]).toEqual([disabled_at, expect.any(String)]);
    const deliveries = await readDeliveries(shop.call, shop.endpoint.id);
    expect(deliveries.map(({ status }) => status)).toEqual(["failed"]);
    expect(enabled.json).toMatchObject({
      disabled: false,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      circuit: "closed",
      circuit_retry_at: null,
    });
  });

  test("that is removed takes its deliveries along", async () => {
    const shop = await makeShop();
    const other = await makeEndpoint(shop.call);
    await shop.publish();
    await shop.consume(shop.held.take());

    const removed = await ask("DELETE", `${ENDPOINTS}/${shop.endpoint.id}`, shop.call);
    const again = await ask("DELETE", `${ENDPOINTS}/${shop.endpoint.id}`, shop.call);

    expect([removed.status, again.status]).toEqual([204, 404]);
    expect(await rowsOf(shop.tenantId)).toEqual({ endpoints: 1, deliveries: 1, attempts: 1 });
    expect((await readDeliveries(shop.call, other.id)).length).toBe(1);
  });

  test("goes with its tenant", async () => {
    const shop = await makeShop();
    await shop.publish();
    const [job] = shop.held.take();
    await shop.consume([job!]);
    await shop.publish("2");

    await ask("DELETE", `/v1/tenants/${shop.tenantId}`, OPERATOR);
    const late = await shop.consume(shop.held.take());

    expect(await rowsOf(shop.tenantId)).toEqual({ endpoints: 0, deliveries: 0, attempts: 0 });
    expect(late).toEqual({ acked: 1, retried: [] });
    expect(await receivedAt(shop.endpoint.url)).toHaveLength(1);
  });
});

describe("a rotation", () => {
  test("shows a new secret once and keeps the old one for the overlap", async () => {
    const { call } = await makeTenant();
    const { secret, ...endpoint } = await makeEndpoint(call, SHOP);
    const path = `${ENDPOINTS}/${endpoint.id}/rotate-secret`;

    const rotated = await ask<CreatedWebhookEndpoint>("POST", path, {
      ...call,
      json: { overlap_ms: 3_600_000 },
    });

    const { secret: fresh, updated_at, old_secret_expires_at, ...rest } = rotated.json;
    expect([rotated.status, fresh === secret, { ...endpoint, ...rest }]).toEqual([
      200,
      false,
      endpoint,
    ]);
    expect(Date.parse(old_secret_expires_at!) - Date.parse(updated_at)).toBe(3_600_000);
  });
});

describe("deliveries", () => {
  test("are listed newest first, by state and by type", async () => {
    const shop = await makeShop({ url: inject("webhookReceiverUrl") + receiverPath("200,500") });
    await shop.publish("1");
    await shop.consume(shop.held.take());
    await new Promise((resolve) => setTimeout(resolve, 2));
    await shop.publish("2");
    await shop.consume(shop.held.take());
    const path = `${ENDPOINTS}/${shop.endpoint.id}/deliveries`;
    const list = async (query: string) =>
      (await ask<Page<WebhookDelivery>>("GET", path + query, shop.call)).json;

    const all = await list("");
    const first = await list("?limit=1");
    const second = await list(`?limit=1&page=${first.next_page}`);

    expect(all.data.map(({ status }) => status)).toEqual(["pending", "delivered"]);
    expect([...first.data, ...second.data]).toEqual(all.data);
    expect((await list("?status=delivered")).data).toEqual(all.data.slice(1));
    expect((await list("?type=session.created")).data).toEqual(all.data);
    expect((await list("?type=reply.failed")).data).toEqual([]);
    expect((await ask("GET", `${path}?type=none`, shop.call)).status).toBe(400);
  });

  test("are sent again on request, with the same id and the schedule anew", async () => {
    const shop = await makeShop({ url: inject("webhookReceiverUrl") + receiverPath("200,500") });
    await shop.publish();
    await shop.consume(shop.held.take());
    const [delivered] = await readDeliveries(shop.call, shop.endpoint.id);
    const path = `${ENDPOINTS}/${shop.endpoint.id}/deliveries/${delivered!.id}/redeliver`;
    const headers = { Authorization: `Bearer ${shop.call.key}` };

    const answer = await app.request(path, { method: "POST", headers }, shop.bindings);

    const { payload: _, attempts: __, ...shown } = delivered!;
    expect([answer.status, await answer.json()]).toEqual([
      202,
      { ...shown, status: "pending", finished_at: null, next_attempt_at: expect.any(String) },
    ]);
    await shop.consume(shop.held.take());
    const [again] = await readDeliveries(shop.call, shop.endpoint.id);
    expect(again!.attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 200],
      [2, 500],
    ]);
    // The first failure of this run.
    expect(shop.held.sent[0]!.delaySeconds).toBeLessThanOrEqual(5);
    const posts = await receivedAt(shop.endpoint.url);
    expect(new Set(posts.map((post) => post.headers["webhook-id"])).size).toBe(1);
  });

  test("of a disabled endpoint are not sent again", async () => {
    const shop = await makeShop();
    await shop.publish();
    await shop.consume(shop.held.take());
    const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
    const path = `${ENDPOINTS}/${shop.endpoint.id}`;
    await ask("PATCH", path, { ...shop.call, json: { disabled: true } });

    const refused = await ask("POST", `${path}/deliveries/${delivery!.id}/redeliver`, shop.call);

    expect(refusalOf(refused)).toEqual({ status: 409, code: "conflict", pointers: undefined });
  });

  test("are found at their own endpoint alone", async () => {
    const shop = await makeShop();
    const other = await makeEndpoint(shop.call, { events: ["reply.*"] });
    await shop.publish();
    const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
    const path = `${ENDPOINTS}/${other.id}/deliveries/${delivery!.id}`;

    const answers = [
      await ask("GET", path, shop.call),
      await ask("POST", `${path}/redeliver`, shop.call),
      await ask("GET", `${ENDPOINTS}/whk_${"0".repeat(26)}/deliveries`, shop.call),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test("that are older than a month are cleared away by the next attempt", async () => {
    const shop = await makeShop();
    await shop.publish("1");
    await shop.consume(shop.held.take());
    const old = await stableId("whd", Date.now() - WEBHOOK_KEPT_MS - 1, shop.tenantId);
    for (const table of [
      "webhook_deliveries SET id = ?1 WHERE tenant_id = ?2",
      "webhook_attempts SET delivery_id = ?1 WHERE tenant_id = ?2",
    ]) {
      await env.DB.prepare(`UPDATE ${table}`).bind(old, shop.tenantId).run();
    }

    await shop.publish("2");
    await shop.consume(shop.held.take());

    expect(await rowsOf(shop.tenantId)).toEqual({ endpoints: 1, deliveries: 1, attempts: 1 });
    const [left] = await readDeliveries(shop.call, shop.endpoint.id);
    expect(left!.id === old).toBe(false);
  });
});

async function rowsOf(tenantId: string) {
  const counts = await env.DB.batch<{ count: number }>(
    ["webhook_endpoints", "webhook_deliveries", "webhook_attempts"].map((table) =>
      env.DB.prepare(`SELECT count(*) AS count FROM ${table} WHERE tenant_id = ?`).bind(tenantId),
    ),
  );
  const [endpoints, deliveries, attempts] = counts.map(({ results }) => results[0]!.count);
  return { endpoints, deliveries, attempts };
}

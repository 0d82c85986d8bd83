// Kept parts of a request: for how long, without which content, and for whom when it died.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { IDEMPOTENCY_KEPT_MS, MAX_KEPT_ANSWER_BYTES } from "../../../protocol/requests/limits.ts";
import { ask, makeTenant, openSession, OPERATOR, refusalOf } from "../support/api.ts";
import { keyed } from "../support/keyed.ts";
import { KEYED_REQUESTS } from "../../tenancy/concepts.ts";
import { makeShop, readDeliveries } from "../webhooks/endpoint.ts";

/** Nobody waits any longer for the request that has the key. */
async function endLease(tenantId: string): Promise<void> {
  await env.DB.prepare("UPDATE idempotency_keys SET leased_until = 0 WHERE tenant_id = ?")
    .bind(tenantId)
    .run();
}

const AGENT = { name: "Front desk" };

/** D1 with something that happens before its second batch: after a request has taken its key, before it acts. */
function interleaved(happens: () => Promise<unknown>): D1Database {
  let batches = 0;
  return new Proxy(env.DB, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      if (name !== "batch") return member.bind(target) as unknown;
      return async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches === 2) await happens();
        return target.batch(statements);
      };
    },
  });
}

function tellsOf({ status, headers }: { status: number; headers: Headers }) {
  return [status, headers.get("Retry-After"), headers.get("Idempotent-Replayed")];
}

describe("a request that died", () => {
  test("has its key until its lease ends; then whoever asks the same acts", async () => {
    const { id, call } = await makeTenant();
    const send = (changes: object = {}) =>
      ask("POST", "/v1/agents", { ...keyed(call), json: { ...AGENT, ...changes } });
    await send();
    await env.DB.prepare("UPDATE idempotency_keys SET answer = NULL WHERE tenant_id = ?")
      .bind(id)
      .run();
    const [waiting, different] = [await send(), await send({ max_iters: 3 })];
    await endLease(id);
    const other = await send({ max_iters: 3 });
    const [taken, replayed] = [await send(), await send()];

    expect([waiting, different, other, taken, replayed].map(tellsOf)).toEqual([
      [409, "1", null],
      [422, null, null],
      [422, null, null],
      [201, null, null],
      [201, null, "true"],
    ]);
  });

  test("and comes back when another has its key does nothing", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const { id, call } = await makeTenant();
    const send = (database = env.DB) =>
      ask("POST", "/v1/agents", {
        ...keyed(call),
        json: AGENT,
        bindings: { ...env, DB: database },
      });
    const late = await send(
      interleaved(async () => {
        await endLease(id);
        await send();
      }),
    );
    const { json: agents } = await ask<Page<unknown>>("GET", "/v1/agents", call);

    expect([refusalOf(late), agents.data.length]).toEqual([
      { status: 409, code: "idempotency_in_flight", pointers: undefined },
      1,
    ]);
  });

  test("after it acted was done: what failed then is answered as if it had not", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const shop = await makeShop();
    await shop.publish();
    await shop.consume(shop.held.take());
    const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
    const path = `/v1/webhook-endpoints/${shop.endpoint.id}/deliveries/${delivery!.id}/redeliver`;
    const send = () => ask("POST", path, { ...keyed(shop.call), bindings: shop.bindings });
    shop.held.isDown = true;
    const failed = await send();
    const again = await send();

    expect([failed.status, tellsOf(again), again.json]).toEqual([
      500,
      [202, null, "true"],
      expect.objectContaining({ id: delivery!.id, status: "pending" }),
    ]);
  });
});

describe("what is kept", () => {
  test("lasts a day: then the request is a new one, in D1 and in the session", async () => {
    const { call, path, tenantId, session } = await openSession();
    const sendBoth = async () => [
      await ask("POST", "/v1/agents", { ...keyed(call), json: { name: "Front desk" } }),
      await ask("POST", `${path}/replies`, { ...keyed(call), json: { input: "/say hello" } }),
    ];
    const nowMs = Date.now();
    await sendBoth();
    vi.setSystemTime(nowMs + IDEMPOTENCY_KEPT_MS - 1_000);
    onTestFinished(() => void vi.useRealTimers());
    const within = await sendBoth();
    // The two requests of before took a while, too.
    vi.setSystemTime(nowMs + 2 * IDEMPOTENCY_KEPT_MS);
    const after = await sendBoth();

    const replayed = [within, after].map((answers) =>
      answers.map(({ headers }) => headers.get("Idempotent-Replayed")),
    );
    expect(replayed).toEqual([
      ["true", "true"],
      [null, null],
    ]);
    // The old rows went with the new ones.
    expect(await keptRows(tenantId, session.id)).toEqual([1, 1]);
  });

  test.each([
    "createTenant",
    "createApiKey",
    "rotateApiKey",
    "createCredential",
    "createInboundEndpoint",
    "rotateInboundSecret",
    "createWebhookEndpoint",
    "rotateWebhookSecret",
  ] as const)("of %s holds no secret", async (name) => {
    const key = crypto.randomUUID();
    const { path, call, json = {}, secrets = ["secret"] } = await KEYED_REQUESTS[name]!();
    const first = await ask<Record<string, string>>("POST", path, { ...keyed(call, key), json });
    const row = await env.DB.prepare("SELECT * FROM idempotency_keys WHERE key = ?")
      .bind(key)
      .first<Record<string, unknown>>();

    // One that the platform has made, or that the request brought.
    const secret = { ...json, ...first.json }[secrets[0]!];
    expect([typeof row?.["answer"], typeof secret]).toEqual(["string", "string"]);
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  test("of more than 64 kB lacks its body, and the act is not done again", async () => {
    const { id, call } = await makeTenant();
    const json = { name: "Desk", system_prompt: "x".repeat(MAX_KEPT_ANSWER_BYTES) };
    const send = () =>
      ask<{ id: string; answered?: number }>("POST", "/v1/agents", { ...keyed(call), json });
    const first = await send();
    const again = await send();
    const { results } = await env.DB.prepare(
      "SELECT length(answer) AS bytes FROM idempotency_keys WHERE tenant_id = ?",
    )
      .bind(id)
      .all<{ bytes: number }>();
    const { json: agents } = await ask<{ data: readonly unknown[] }>("GET", "/v1/agents", call);

    expect([first.status, refusalOf(again as never), again.json.answered]).toEqual([
      201,
      { status: 409, code: "answer_not_kept", pointers: undefined },
      201,
    ]);
    expect([again.headers.get("Location"), again.headers.get("Idempotent-Replayed")]).toEqual([
      `/v1/agents/${first.json.id}`,
      "true",
    ]);
    expect([results.map(({ bytes }) => bytes < 200), agents.data.length]).toEqual([[true], 1]);
  });

  test("of a client token holds no token", async () => {
    const { call, path, tenantId, session } = await openSession();
    const { json } = await ask<{ id: string; token: string }>("POST", `${path}/tokens`, {
      ...keyed(call),
      json: { verbs: ["read"] },
    });
    const [answer = ""] = await runInDurableObject(
      env.SESSION.getByName(sessionObjectName(tenantId, session.id)),
      (_, { storage }) =>
        storage.sql
          .exec<{ answer: string }>("SELECT answer FROM idempotency_keys")
          .toArray()
          .map((row) => row.answer),
    );

    const { token: _token, ...shown } = json;
    expect(JSON.parse(answer)).toEqual(shown);
  });

  test("goes with its session, and with its tenant", async () => {
    const { call, path, tenantId } = await openSession();
    const opened = await ask<{ id: string; agent_id: string }>("GET", path, call);
    const made = await ask<{ id: string }>("POST", "/v1/sessions", {
      ...keyed(call),
      json: { agent_id: opened.json.agent_id },
    });
    await ask("DELETE", `/v1/sessions/${made.json.id}`, call);
    const again = await ask("POST", "/v1/sessions", {
      ...keyed(call),
      json: { agent_id: opened.json.agent_id },
    });
    await ask("DELETE", `/v1/tenants/${tenantId}`, OPERATOR);
    const left = await env.DB.prepare(
      "SELECT count(*) AS found FROM idempotency_keys WHERE tenant_id = ?",
    )
      .bind(tenantId)
      .first("found");

    expect([refusalOf(again), left]).toEqual([
      { status: 404, code: "not_found", pointers: undefined },
      0,
    ]);
  });
});

async function keptRows(tenantId: string, sessionId: string) {
  const inDatabase = await env.DB.prepare(
    "SELECT count(*) AS found FROM idempotency_keys WHERE tenant_id = ?",
  )
    .bind(tenantId)
    .first<number>("found");
  const inObject = await runInDurableObject(
    env.SESSION.getByName(sessionObjectName(tenantId, sessionId)),
    (_, { storage }) =>
      storage.sql.exec<{ found: number }>("SELECT count(*) AS found FROM idempotency_keys").one()
        .found,
  );
  return [inDatabase, inObject];
}

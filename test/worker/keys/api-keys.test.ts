import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import type { ApiKey, CreatedApiKey } from "../../../protocol/keys/contract.ts";
import { SCOPES } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { app } from "../../../worker/app.ts";
import { hearLog } from "../../support/hear-log.ts";
import { advanceClock } from "../support/advance-clock.ts";
import type { Call } from "../support/api.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";

function createKey(call: Call, json: object) {
  return ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json });
}
const FUTURE = "2999-01-01T00:00:00.000Z";

/** The app with no database behind it, and what it logs. */
async function askWithoutDatabase(key: string) {
  // A binding that is there, and is not one of D1: what is missing altogether is a 503 that names it.
  const broken: Partial<Env> = { ...env, DB: {} as D1Database };
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => error.mockRestore());
  const headers = { Authorization: `Bearer ${key}` };
  const response = await app.request("/v1/agents", { headers }, broken);
  return { response, log: error.mock.calls.map(([line]) => String(line)) };
}

describe("API keys", () => {
  test("a key is shown once and works at once", async () => {
    const tenant = await makeTenant();

    const json = {
      name: "Till",
      mode: "test",
      scopes: ["agents:read", "agents:read"],
      expires_at: FUTURE,
    };
    const { status, json: created } = await createKey(tenant.call, json);
    const used = await ask("GET", "/v1/agents", { key: created.api_key });
    const { json: list } = await ask<Page<ApiKey>>("GET", "/v1/api-keys", tenant.call);

    const { api_key, ...rest } = created;
    expect({
      status,
      used: used.status,
      created,
      listed: list.data[0],
      keys: list.data.length,
    }).toEqual({
      status: 201,
      used: 200,
      created: {
        id: expect.stringMatching(/^key_/),
        tenant_id: tenant.id,
        name: "Till",
        mode: "test",
        prefix: api_key.slice(0, 12),
        scopes: ["agents:read"],
        created_at: expect.any(String),
        expires_at: FUTURE,
        revoked_at: null,
        revoked_reason: null,
        created_by: expect.stringMatching(/^key_/),
        last_used_at: null,
        old_secret_expires_at: null,
        api_key: expect.stringMatching(/^rk_test_/),
      },
      listed: { ...rest, last_used_at: expect.any(String) },
      keys: 2,
    });
  });

  test("nothing that is stored gives a key back", async () => {
    const { api_key } = await makeTenant();

    const { results } = await env.DB.prepare("SELECT * FROM api_keys").all();

    const stored = JSON.stringify(results);
    expect([stored.includes(api_key), stored.includes(api_key.slice(12, 30))]).toEqual([
      false,
      false,
    ]);
  });

  test("a revoked key opens nothing and stays in the list", async () => {
    const tenant = await makeTenant();
    const { json: key } = await createKey(tenant.call, {});

    const before = await ask("GET", "/v1/agents", { key: key.api_key });
    const revoked = await ask("DELETE", `/v1/api-keys/${key.id}`, tenant.call);
    const after = await ask("GET", "/v1/agents", { key: key.api_key });
    const { json: list } = await ask<Page<ApiKey>>("GET", "/v1/api-keys", tenant.call);
    const again = await ask("DELETE", `/v1/api-keys/${key.id}`, tenant.call);
    const { json: later } = await ask<Page<ApiKey>>("GET", "/v1/api-keys", tenant.call);

    expect([before, revoked, after, again].map(({ status }) => status)).toEqual([
      200, 204, 401, 204,
    ]);
    expect(list.data[0]).toMatchObject({ id: key.id, revoked_at: expect.any(String) });
    expect(later).toEqual(list);
  });

  test("an expired key opens nothing", async () => {
    const tenant = await makeTenant();
    const expires_at = new Date(Date.now() + 10_000).toISOString();
    const { json: key } = await createKey(tenant.call, { expires_at });
    const used = await ask("GET", "/v1/agents", { key: key.api_key });

    advanceClock(10_000);
    const expired = await ask("GET", "/v1/agents", { key: key.api_key });

    expect([used.status, refusalOf(expired)]).toEqual([
      200,
      { status: 401, code: "unauthenticated", pointers: undefined },
    ]);
  });

  test("a mistyped key is refused without asking the database", async () => {
    const { api_key } = await makeTenant();
    const last = api_key.endsWith("a") ? "b" : "a";

    const { response } = await askWithoutDatabase(api_key.slice(0, -1) + last);

    expect(response.status).toBe(401);
  });

  test("a failure on our side is told to the log, and to the client only that it happened", async () => {
    const { api_key } = await makeTenant();

    const { response, log } = await askWithoutDatabase(api_key);

    const requestId = response.headers.get("X-Request-Id");
    expect([response.headers.get("Content-Type"), await response.json()]).toEqual([
      "application/problem+json",
      {
        type: "urn:reprise:problem:internal",
        title: "Something failed on our side",
        status: 500,
        detail: "something failed on our side; name the request id when you report it",
        code: "internal",
        request_id: requestId,
      },
    ]);
    expect(log).toHaveLength(1);
    expect(JSON.parse(log[0] ?? "")).toEqual({
      request_id: requestId,
      method: "GET",
      path: "/v1/agents",
      error: "TypeError",
      stack: expect.any(String),
    });
    expect(log[0]).not.toContain(api_key);
  });

  test("what is no bearer token of ours is refused and told how to ask", async () => {
    const given = [
      "",
      "Bearer",
      "Bearer ",
      "Basic b3A6",
      "Bearer sk-123",
      `Bearer ${env.OPERATOR_KEY}x`,
      "Bearer a b",
    ];

    const answers = [];
    for (const Authorization of given)
      answers.push(await ask("GET", "/v1/tenants", { headers: { Authorization } }));

    expect(answers.map(({ status, headers }) => [status, headers.get("WWW-Authenticate")])).toEqual(
      given.map(() => [401, 'Bearer realm="reprise"']),
    );
  });

  test("no operator is let in where no operator's key is set, and the answer and the log say so", async () => {
    const log = hearLog();
    const unset = { ...env, OPERATOR_KEY: "" };

    const response = await app.request(
      "/v1/tenants",
      { headers: { Authorization: "Bearer undefined" } },
      unset,
    );

    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({
        code: "unavailable",
        detail: expect.stringContaining("OPERATOR_KEY"),
      }),
    ]);
    expect(log).toEqual([
      "this deployment is not configured: OPERATOR_KEY is not set; see /readyz",
    ]);
  });

  test("a key passes on no scope that it lacks", async () => {
    const tenant = await makeTenant();
    const { json: maker } = await createKey(tenant.call, { scopes: ["keys:write", "agents:read"] });
    const call = { key: maker.api_key };

    const inherited = await createKey(call, {});
    const more = await ask("POST", "/v1/api-keys", {
      ...call,
      json: { scopes: ["agents:read", "agents:write", "keys:read"] },
    });

    expect([inherited.json.scopes, refusalOf(more)]).toEqual([
      ["keys:write", "agents:read"],
      { status: 403, code: "insufficient_scope", pointers: ["#/scopes/1", "#/scopes/2"] },
    ]);
  });

  test("a scope of before is accepted, without effect, and stands in nobody's way", async () => {
    const { call } = await makeTenant();
    const former = ["usage:write", "tool_results:read"];

    const asked = await createKey(call, { scopes: ["agents:read", ...former] as never });
    const alone = await createKey(call, { scopes: former as never });
    await env.DB.prepare("UPDATE api_keys SET scopes = ? WHERE id = ?")
      .bind(JSON.stringify(["keys:write", "keys:read", ...former]), asked.json.id)
      .run();
    const read = await ask<Page<ApiKey>>("GET", "/v1/api-keys?limit=2", call);
    const inherited = await createKey({ key: asked.json.api_key }, {});
    const rotated = await ask("POST", `/v1/api-keys/${asked.json.id}/rotate`, {
      ...call,
      json: {},
    });

    expect([asked.status, asked.json.scopes]).toEqual([201, ["agents:read"]]);
    expect([alone.status, alone.json.scopes]).toEqual([201, []]);
    expect(read.json.data.map(({ scopes }) => scopes)).toEqual([[], ["keys:write", "keys:read"]]);
    expect(inherited.json.scopes).toEqual(["keys:write", "keys:read"]);
    expect([rotated.status, rotated.json["scopes"]]).toEqual([200, ["keys:write", "keys:read"]]);
  });

  test("the operator makes, lists and revokes keys of a tenant that it names", async () => {
    const { id } = await makeTenant();

    const { json: key } = await createKey(OPERATOR, { tenant_id: id });
    const { json: list } = await ask<Page<ApiKey>>("GET", `/v1/api-keys?tenant_id=${id}`, OPERATOR);
    const revoked = await ask("DELETE", `/v1/api-keys/${key.id}?tenant_id=${id}`, OPERATOR);

    expect([key.scopes, list.data.map((row) => row.tenant_id), revoked.status]).toEqual([
      SCOPES,
      [id, id],
      204,
    ]);
  });

  test("a tenant has to be named by the operator, and nobody names another's", async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()];

    const answers = [
      await ask("POST", "/v1/api-keys", { ...OPERATOR, json: {} }),
      await ask("GET", "/v1/api-keys", OPERATOR),
      await ask("POST", "/v1/api-keys", { ...tenant.call, json: { tenant_id: other.id } }),
      await ask("GET", `/v1/api-keys?tenant_id=${other.id}`, tenant.call),
      await ask("POST", "/v1/api-keys", { ...OPERATOR, json: { tenant_id: "ten_nobody" } }),
    ];

    expect(answers.map(refusalOf)).toEqual([
      { status: 400, code: "validation_failed", pointers: ["#/tenant_id"] },
      { status: 400, code: "validation_failed", pointers: ["#/query/tenant_id"] },
      { status: 404, code: "not_found", pointers: ["#/tenant_id"] },
      { status: 404, code: "not_found", pointers: ["#/query/tenant_id"] },
      { status: 404, code: "not_found", pointers: ["#/tenant_id"] },
    ]);
  });

  test("a key that ends makes none that lasts longer, and none without an end", async () => {
    const tenant = await makeTenant();
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const { json: parent } = await createKey(tenant.call, { expires_at });
    const call = { key: parent.api_key };

    const inherited = await createKey(call, {});
    const sooner = new Date(Date.now() + 30_000).toISOString();
    const shorter = await createKey(call, { expires_at: sooner });
    const later = new Date(Date.now() + 60_001).toISOString();
    const refused = await ask("POST", "/v1/api-keys", { ...call, json: { expires_at: later } });

    expect([inherited.json.expires_at, shorter.json.expires_at]).toEqual([expires_at, sooner]);
    expect(refusalOf(refused)).toEqual({
      status: 403,
      code: "insufficient_scope",
      pointers: ["#/expires_at"],
    });
  });

  test("an expiry must be a moment to come, in UTC with milliseconds", async () => {
    const { call } = await makeTenant();

    const refusals = [];
    for (const expires_at of ["2020-01-01T00:00:00.000Z", "tomorrow", "2999-01-01", 5]) {
      refusals.push(
        refusalOf(await ask("POST", "/v1/api-keys", { ...call, json: { expires_at } })),
      );
    }

    expect(refusals).toEqual(
      refusals.map(() => ({ status: 400, code: "validation_failed", pointers: ["#/expires_at"] })),
    );
  });
});

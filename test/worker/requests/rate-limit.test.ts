// The brakes, on a limit of three requests that each test has for itself.
import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { KEY_RANDOM_BYTES, formatApiKey } from "../../../protocol/keys/api-key-format.ts";
import { app } from "../../../worker/app.ts";
import { ask, makeTenant, openSession, OPERATOR } from "../support/api.ts";
import { LIMIT, smallLimit } from "../support/small-limit.ts";

const POLICY = '"tenant";q=10000;w=10, "token";q=1000;w=10, "address";q=2000;w=10';

/** A request to the app with bindings of the test's choice; the answer is read to its end. */
async function askWith(
  bindings: Partial<Env>,
  path: string,
  headers: Readonly<Record<string, string>>,
  method = "GET",
) {
  const response = await app.request(path, { method, headers }, { ...env, ...bindings });
  await response.text();
  return response;
}

function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

/** A key of the right form that nobody was ever given. */
function makeUpKey(): string {
  return formatApiKey("live", crypto.getRandomValues(new Uint8Array(KEY_RANDOM_BYTES)));
}

let addresses = 0;
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

/** D1 that counts how often it is asked. */
function countingDatabase(): { database: D1Database; asked: () => number } {
  let asked = 0;
  const database = new Proxy(env.DB, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        asked += 1;
        return Reflect.apply(member, target, values) as unknown;
      };
    },
  });
  return { database, asked: () => asked };
}

function essenceOf({ status, headers }: Response) {
  return {
    status,
    retryAfter: headers.get("Retry-After"),
    limit: headers.get("RateLimit"),
    policy: headers.get("RateLimit-Policy"),
  };
}
const OPEN = { retryAfter: null, limit: null, policy: POLICY };
const REFUSED = {
  tenant: { status: 429, retryAfter: "10", limit: '"tenant";r=0;t=10', policy: POLICY },
  address: { status: 429, retryAfter: "10", limit: '"address";r=0;t=10', policy: POLICY },
};

describe("a rate limit", () => {
  test("stops a tenant with too many requests, with all its keys, and no other tenant", async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()];
    const second = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
      ...tenant.call,
      json: {},
    });
    const bindings = { TENANT_LIMIT: smallLimit() };

    const answers = [];
    for (const key of [...Array<string>(LIMIT).fill(tenant.api_key), second.json.api_key]) {
      answers.push(essenceOf(await askWith(bindings, "/v1/agents", bearer(key))));
    }
    const neighbour = await askWith(bindings, "/v1/agents", bearer(other.api_key));

    const open = { status: 200, ...OPEN };
    expect(answers).toEqual([open, open, open, REFUSED.tenant]);
    expect(essenceOf(neighbour)).toEqual(open);
  });

  test("answers with a problem that says what to do", async () => {
    const { api_key: key } = await makeTenant();
    const bindings = { TENANT_LIMIT: smallLimit() };
    for (let sent = 0; sent < LIMIT; sent += 1) await askWith(bindings, "/v1/agents", bearer(key));

    const headers = { ...bearer(key), "X-Request-Id": "flood-1" };
    const response = await app.request("/v1/agents", { headers }, { ...env, ...bindings });

    expect([response.headers.get("Content-Type"), await response.json()]).toEqual([
      "application/problem+json",
      {
        type: "urn:reprise:problem:rate_limited",
        title: "Too many requests",
        status: 429,
        detail:
          "the tenant has sent too many requests, more than 10000 in 10 seconds; nothing was done, try again in 10 seconds",
        code: "rate_limited",
        request_id: "flood-1",
      },
    ]);
  });

  test("counts a stream once, however long it lasts", async () => {
    const { call, path } = await openSession();
    const input = JSON.stringify({ input: `/say ${"many words ".repeat(50)}`, stream: true });
    const bindings = { TENANT_LIMIT: smallLimit() };

    const stream = await app.request(
      `${path}/replies`,
      {
        method: "POST",
        headers: { ...bearer(call.key), "Content-Type": "application/json" },
        body: input,
      },
      { ...env, ...bindings },
    );
    const text = await stream.text();
    const after = [];
    for (let sent = 0; sent < LIMIT; sent += 1) {
      after.push((await askWith(bindings, path, bearer(call.key))).status);
    }

    expect(essenceOf(stream)).toEqual({ status: 200, ...OPEN });
    expect([text.includes('"finished_reason":"completed"'), after]).toEqual([
      true,
      [200, 200, 429],
    ]);
  });

  test("keeps a flood of made-up keys from one address away from D1", async () => {
    const { database, asked } = countingDatabase();
    const bindings = { ADDRESS_LIMIT: smallLimit(), DB: database };
    const address = { "CF-Connecting-IP": freshAddress() };

    const answers = [];
    for (let sent = 0; sent < LIMIT; sent += 1) {
      answers.push(await askWith(bindings, "/v1/agents", { ...address, ...bearer(makeUpKey()) }));
    }
    const askedBefore = asked();
    for (let sent = 0; sent < LIMIT; sent += 1) {
      answers.push(await askWith(bindings, "/v1/agents", { ...address, ...bearer(makeUpKey()) }));
    }

    const open = { status: 401, ...OPEN };
    const { address: refused } = REFUSED;
    expect(answers.map(essenceOf)).toEqual([open, open, open, refused, refused, refused]);
    expect([askedBefore > 0, asked() - askedBefore]).toEqual([true, 0]);
  });

  test.each([
    ["no credential", {}],
    ["a mistyped key", bearer("rk_live_0123")],
    ["a wrong operator's key", bearer("let-me-in")],
  ])("counts requests with %s by their address", async (_, headers) => {
    const bindings = { ADDRESS_LIMIT: smallLimit() };
    const [address, other] = [freshAddress(), freshAddress()];

    const statuses = [];
    for (const from of [address, address, address, address, other]) {
      const own = { ...headers, "CF-Connecting-IP": from };
      statuses.push((await askWith(bindings, "/v1/tenants", own)).status);
    }

    expect(statuses).toEqual([401, 401, 401, 429, 401]);
  });

  test("lets whoever has a known key through at an address that is stopped", async () => {
    const { api_key: key } = await makeTenant();
    const bindings = { ADDRESS_LIMIT: smallLimit() };
    const address = { "CF-Connecting-IP": freshAddress() };
    await askWith({}, "/v1/agents", bearer(key));
    for (let sent = 0; sent < LIMIT; sent += 1) await askWith(bindings, "/v1/agents", address);

    const statuses = [
      (await askWith(bindings, "/v1/agents", address)).status,
      (await askWith(bindings, "/v1/agents", { ...address, ...bearer(key) })).status,
      (await askWith(bindings, "/v1/tenants", { ...address, ...bearer(OPERATOR.key) })).status,
    ];

    expect(statuses).toEqual([429, 200, 200]);
  });

  test("is for routes that take a credential, and for no preflight", async () => {
    const bindings = { ADDRESS_LIMIT: smallLimit() };
    const address = { "CF-Connecting-IP": freshAddress() };
    for (let sent = 0; sent <= LIMIT; sent += 1) await askWith(bindings, "/v1/agents", address);

    const answers = [];
    for (const path of ["/healthz", "/readyz", "/openapi.json", "/llms.txt", "/docs"]) {
      answers.push(await askWith(bindings, path, address));
    }
    const preflight = { ...address, Origin: "https://shop.example" };
    answers.push(await askWith(bindings, "/v1/agents", preflight, "OPTIONS"));

    expect(answers.map(({ status, headers }) => [status, headers.get("RateLimit-Policy")])).toEqual(
      [200, 200, 200, 200, 200, 204].map((status) => [status, null]),
    );
  });

  test("that is missing or fails stops nobody", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const { api_key: key } = await makeTenant();
    const broken = { limit: () => Promise.reject(new Error("the counter is away")) };
    const address = { "CF-Connecting-IP": freshAddress() };

    const statuses = [];
    for (const limit of [undefined, broken]) {
      const bindings = { TENANT_LIMIT: limit, ADDRESS_LIMIT: limit };
      statuses.push((await askWith(bindings, "/v1/agents", { ...address, ...bearer(key) })).status);
      statuses.push((await askWith(bindings, "/v1/agents", address)).status);
    }

    expect(statuses).toEqual([200, 401, 200, 401]);
  });
});

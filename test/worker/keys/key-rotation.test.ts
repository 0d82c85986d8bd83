import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { ApiKey, CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import type { Call } from "../support/api.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";

async function createKey(call: Call, json: object = {}): Promise<CreatedApiKey> {
  return (await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json })).json;
}

function rotate(call: Call, keyId: string, json: object = {}) {
  return ask<CreatedApiKey>("POST", `/v1/api-keys/${keyId}/rotate`, { ...call, json });
}

async function works(...keys: string[]): Promise<readonly boolean[]> {
  const statuses = [];
  for (const key of keys) statuses.push((await ask("GET", "/v1/agents", { key })).status);
  return statuses.map((status) => status === 200);
}

async function readKey(call: Call, keyId: string): Promise<ApiKey | undefined> {
  const { json } = await ask<Page<ApiKey>>("GET", "/v1/api-keys?limit=100", call);
  return json.data.find(({ id }) => id === keyId);
}

describe("rotating a key", () => {
  test("gives it a new secret, and the old one works for a day", async () => {
    const { call } = await makeTenant();
    const { api_key: old, ...key } = await createKey(call, { name: "Till", mode: "test" });
    const sentAtMs = Date.now();

    const { status, json: rotated } = await rotate(call, key.id);

    expect({ status, rotated }).toEqual({
      status: 200,
      rotated: {
        ...key,
        prefix: rotated.api_key.slice(0, 12),
        old_secret_expires_at: expect.any(String),
        api_key: expect.stringMatching(/^rk_test_/),
      },
    });
    const endsAtMs = Date.parse(rotated.old_secret_expires_at ?? "") - 86_400_000;
    expect(endsAtMs).toBeGreaterThanOrEqual(sentAtMs);
    expect(endsAtMs).toBeLessThanOrEqual(Date.now());
    expect(rotated.api_key).not.toBe(old);
    expect(await works(old, rotated.api_key)).toEqual([true, true]);
  });

  test("is refused to a key that ends before it, and leaves its secret as it is", async () => {
    const { call } = await makeTenant();
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const ending = await createKey(call, { expires_at });
    const lasting = await createKey(call);
    const alike = await createKey(call, { expires_at });

    const path = `/v1/api-keys/${lasting.id}/rotate`;
    const refused = await ask("POST", path, { key: ending.api_key, json: {} });
    const taken = await rotate({ key: ending.api_key }, alike.id);

    expect(refusalOf(refused)).toMatchObject({ status: 403, code: "insufficient_scope" });
    expect(await works(lasting.api_key)).toEqual([true]);
    expect(taken.status).toBe(200);
  });

  test("ends the old secret when its overlap is over", async () => {
    const { call } = await makeTenant();
    const [atOnce, soon] = [await createKey(call), await createKey(call)];
    await works(atOnce.api_key, soon.api_key);

    const first = (await rotate(call, atOnce.id, { overlap_ms: 0 })).json.api_key;
    const second = (await rotate(call, soon.id, { overlap_ms: 10_000 })).json.api_key;

    expect(await works(atOnce.api_key, first, soon.api_key, second)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    advanceClock(10_000);
    expect(await works(soon.api_key, second)).toEqual([false, true]);
  });

  test("leaves two secrets that work at most", async () => {
    const { call } = await makeTenant();
    const first = await createKey(call);
    await works(first.api_key);

    const second = (await rotate(call, first.id)).json.api_key;
    const third = (await rotate(call, first.id)).json.api_key;

    expect(await works(third, second)).toEqual([true, true]);
    // The isolate that rotates forgets the key at once; others follow within 30 seconds.
    expect(await works(first.api_key)).toEqual([false]);
  });

  test("both secrets end with the key", async () => {
    const { call } = await makeTenant();
    const key = await createKey(call);
    const { json: rotated } = await rotate(call, key.id);
    await works(key.api_key, rotated.api_key);

    await ask("DELETE", `/v1/api-keys/${key.id}`, call);

    expect(await works(key.api_key, rotated.api_key)).toEqual([false, false]);
  });

  test("hands nobody a key that can do more than they can", async () => {
    const { call } = await makeTenant();
    const strong = await createKey(call);
    const weak = await createKey(call, { scopes: ["keys:write", "agents:read"] });
    const caller = { key: weak.api_key };

    const answers = [await rotate(caller, strong.id), await rotate(caller, weak.id)];

    expect(answers.map((answer) => refusalOf(answer as never))).toEqual([
      { status: 403, code: "insufficient_scope", pointers: undefined },
      { status: 200, code: undefined, pointers: undefined },
    ]);
    expect(await works(strong.api_key)).toEqual([true]);
  });

  test("is the operator's too, for a tenant that it names", async () => {
    const tenant = await makeTenant();
    const key = await createKey(tenant.call);

    const answers = [
      await rotate(OPERATOR, key.id, { tenant_id: tenant.id }),
      await rotate(OPERATOR, key.id),
      await rotate(OPERATOR, key.id, { tenant_id: (await makeTenant()).id }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404]);
  });

  test("is refused for a key that opens nothing any more, and for overlaps without end", async () => {
    const { call } = await makeTenant();
    const [revoked, expired, good] = [
      await createKey(call),
      await createKey(call, { expires_at: new Date(Date.now() + 10_000).toISOString() }),
      await createKey(call),
    ];
    await ask("DELETE", `/v1/api-keys/${revoked.id}`, call);
    advanceClock(10_000);

    const answers = [
      await rotate(call, revoked.id),
      await rotate(call, expired.id),
      await rotate(call, `key_${"0".repeat(26)}`),
      await rotate(call, good.id, { overlap_ms: 604_800_001 }),
      await rotate(call, good.id, { overlap_ms: -1 }),
    ];

    expect(answers.map((answer) => refusalOf(answer as never))).toEqual([
      { status: 409, code: "conflict", pointers: undefined },
      { status: 409, code: "conflict", pointers: undefined },
      { status: 404, code: "not_found", pointers: undefined },
      { status: 400, code: "validation_failed", pointers: ["#/overlap_ms"] },
      { status: 400, code: "validation_failed", pointers: ["#/overlap_ms"] },
    ]);
  });
});

describe("the last use of a key", () => {
  test("is null before the first, and noted after it", async () => {
    const { call } = await makeTenant();
    const key = await createKey(call);
    const before = await readKey(call, key.id);

    await works(key.api_key);

    await waitFor(async () => {
      expect((await readKey(call, key.id))?.last_used_at).toEqual(expect.any(String));
    });
    expect(before?.last_used_at).toBeNull();
  });

  test("is written once a minute, however often the key is used", async () => {
    const { call } = await makeTenant();
    const key = await createKey(call);
    await works(key.api_key);
    await waitFor(async () => {
      expect((await readKey(call, key.id))?.last_used_at).toEqual(expect.any(String));
    });
    const first = (await readKey(call, key.id))?.last_used_at;

    for (let count = 0; count < 5; count += 1) await works(key.api_key);
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect((await readKey(call, key.id))?.last_used_at).toBe(first);
  });

  test("is not noted for a key that was refused", async () => {
    const { call } = await makeTenant();
    const key = await createKey(call, { scopes: ["usage:read"] });

    const { status } = await ask("GET", "/v1/agents", { key: key.api_key });
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect([status, (await readKey(call, key.id))?.last_used_at]).toEqual([403, null]);
  });

  test("of another isolate within the minute stands", async () => {
    const { call } = await makeTenant();
    const key = await createKey(call);
    const usedAt = new Date(Date.now() - 30_000).toISOString();
    await env.DB.prepare("UPDATE api_keys SET last_used_at = ? WHERE id = ?")
      .bind(usedAt, key.id)
      .run();

    await works(key.api_key);
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect((await readKey(call, key.id))?.last_used_at).toBe(usedAt);
  });
});

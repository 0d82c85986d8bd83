// Makers of keys, and the credentials that go with one that is revoked.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { ApiKey, CreatedApiKey, RevokedApiKeys } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Call } from "../support/api.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";

type Made = CreatedApiKey & { readonly call: Call };

async function makeKey(call: Call, json: object = {}): Promise<Made> {
  const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json });
  return { ...key, call: { key: key.api_key } };
}

function revoke(key: ApiKey, call: Call, json: object = {}) {
  return ask<RevokedApiKeys>("POST", `/v1/api-keys/${key.id}/revoke`, { ...call, json });
}

/** A tenant whose key has made two keys, the first of which has made one that has made one. */
async function makeFamily() {
  const tenant = await makeTenant();
  const child = await makeKey(tenant.call);
  const grandchild = await makeKey(child.call);
  const last = await makeKey(grandchild.call);
  const sibling = await makeKey(tenant.call);
  return { tenant, child, grandchild, last, sibling };
}

async function statusesOf(...keys: readonly Made[]): Promise<readonly number[]> {
  const answers = await Promise.all(keys.map(({ call }) => ask("GET", "/v1/agents", call)));
  return answers.map(({ status }) => status);
}

async function readKeys(call: Call): Promise<Record<string, ApiKey>> {
  const { json } = await ask<Page<ApiKey>>("GET", "/v1/api-keys?limit=100", call);
  return Object.fromEntries(json.data.map((key) => [key.id, key]));
}

describe("a key", () => {
  test("says which key made it, or that the operator did", async () => {
    const { tenant, child, grandchild } = await makeFamily();
    const byOperator = await makeKey(OPERATOR, { tenant_id: tenant.id });
    const keys = await readKeys(tenant.call);

    const first = Object.values(keys).find(({ id }) => id === child.created_by);
    expect([
      first?.created_by,
      grandchild.created_by,
      byOperator.created_by,
      keys[grandchild.id]?.created_by,
    ]).toEqual(["operator", child.id, "operator", child.id]);
  });

  test("from before that was kept was made by nobody who is known", async () => {
    const { tenant, child } = await makeFamily();
    await env.DB.prepare("UPDATE api_keys SET created_by = NULL WHERE id = ?").bind(child.id).run();

    expect((await readKeys(tenant.call))[child.id]?.created_by).toBeNull();
  });
});

describe("a revocation", () => {
  test("is of the one key when nothing else is said, by either way", async () => {
    const { tenant, child, grandchild, last, sibling } = await makeFamily();
    const posted = await revoke(child, tenant.call);
    const deleted = await ask("DELETE", `/v1/api-keys/${sibling.id}`, tenant.call);

    expect([posted.status, posted.json, deleted.status]).toEqual([
      200,
      { revoked_key_ids: [child.id] },
      204,
    ]);
    expect(await statusesOf(child, grandchild, last, sibling)).toEqual([401, 200, 200, 401]);
    expect((await readKeys(tenant.call))[child.id]?.revoked_reason).toBeNull();
  });

  test.each([
    ["a leak", { reason: "leaked" }, "leaked"],
    ["cascade", { cascade: true }, null],
  ])("for %s takes all descendants along and nobody else", async (_, json, reason) => {
    const { tenant, child, grandchild, last, sibling } = await makeFamily();
    const { json: revoked } = await revoke(child, tenant.call, json);

    const family = [child.id, grandchild.id, last.id];
    expect([...revoked.revoked_key_ids].sort()).toEqual([...family].sort());
    expect(await statusesOf(child, grandchild, last, sibling)).toEqual([401, 401, 401, 200]);
    const keys = await readKeys(tenant.call);
    expect(family.map((id) => keys[id]?.revoked_reason)).toEqual(family.map(() => reason));
  });

  test("by DELETE does the same with a query", async () => {
    const { tenant, child, grandchild, last, sibling } = await makeFamily();
    const path = `/v1/api-keys/${child.id}?reason=leaked&cascade=false`;

    expect((await ask("DELETE", path, tenant.call)).status).toBe(204);
    expect(await statusesOf(child, grandchild, last, sibling)).toEqual([401, 401, 401, 200]);
  });

  test("may be of the key itself", async () => {
    const { child, grandchild, sibling } = await makeFamily();

    expect((await revoke(child, child.call, { reason: "leaked" })).status).toBe(200);
    expect(await statusesOf(child, grandchild, sibling)).toEqual([401, 401, 200]);
  });

  test("of a key that was revoked before still takes its descendants, and keeps its time", async () => {
    const { tenant, child, grandchild, last } = await makeFamily();
    await revoke(child, tenant.call);
    const before = (await readKeys(tenant.call))[child.id];
    const { json } = await revoke(child, tenant.call, { reason: "leaked" });

    const after = (await readKeys(tenant.call))[child.id];
    expect([after?.revoked_at, after?.revoked_reason]).toEqual([before?.revoked_at, "leaked"]);
    expect(json.revoked_key_ids).toHaveLength(3);
    expect(await statusesOf(grandchild, last)).toEqual([401, 401]);
  });

  test("lets the key make and rotate none any more, also where a Worker still believes it", async () => {
    const { tenant, child, grandchild, sibling } = await makeFamily();
    await statusesOf(child, grandchild);
    const before = Object.keys(await readKeys(tenant.call));
    // Another isolate's request: this one goes on believing the keys.
    await env.DB.prepare("UPDATE api_keys SET revoked_at = ?1 WHERE id IN (?2, ?3)")
      .bind(new Date().toISOString(), child.id, grandchild.id)
      .run();

    const made = await ask("POST", "/v1/api-keys", { ...child.call, json: {} });
    const keyed = { ...grandchild.call, json: {}, headers: { "Idempotency-Key": "once" } };
    const again = [
      await ask("POST", "/v1/api-keys", keyed),
      await ask("POST", "/v1/api-keys", keyed),
    ];
    const rotated = await ask("POST", `/v1/api-keys/${sibling.id}/rotate`, {
      ...child.call,
      json: {},
    });

    expect([made, ...again, rotated].map(({ status }) => status)).toEqual([401, 401, 401, 409]);
    expect(Object.keys(await readKeys(tenant.call))).toEqual(before);
    expect(await statusesOf(sibling)).toEqual([200]);
  });

  test("comes to an end where keys are said to have made each other", async () => {
    const { tenant, child, grandchild } = await makeFamily();
    await env.DB.prepare("UPDATE api_keys SET created_by = ? WHERE id = ?")
      .bind(grandchild.id, child.id)
      .run();

    expect((await revoke(child, tenant.call, { cascade: true })).json.revoked_key_ids).toHaveLength(
      3,
    );
  });

  test("stays within its tenant, whoever is said to have made a key", async () => {
    const { tenant, child } = await makeFamily();
    const other = await makeFamily();
    await env.DB.prepare("UPDATE api_keys SET created_by = ? WHERE id = ?")
      .bind(child.id, other.child.id)
      .run();
    await revoke(child, tenant.call, { reason: "leaked" });
    const foreign = await revoke(other.child, tenant.call, { reason: "leaked" });

    expect(await statusesOf(other.child, other.grandchild)).toEqual([200, 200]);
    expect(refusalOf(foreign as never)).toMatchObject({ status: 404, code: "not_found" });
  });

  test("tells the tenant's object which keys are over, and whether their tokens are", async () => {
    const told: unknown[] = [];
    const getByName = (tenantId: string) => ({
      admission: () => env.TENANT.getByName(tenantId).admission(),
      cutKeys: async (...args: unknown[]) => void told.push([tenantId, ...args]),
    });
    const { tenant, child, grandchild, last, sibling } = await makeFamily();
    const bindings = { ...env, TENANT: { getByName } } as unknown as Env;
    await revoke(sibling, { ...tenant.call, bindings });
    await revoke(child, { ...tenant.call, bindings }, { reason: "leaked" });
    await revoke(child, { ...OPERATOR, bindings }, { tenant_id: tenant.id, cascade: true });

    const family = expect.toSatisfy((ids: string[]) =>
      [child, grandchild, last].every(({ id }) => ids.includes(id)),
    );
    expect(told).toEqual([
      [tenant.id, [sibling.id], false],
      [tenant.id, family, true],
      [tenant.id, family, true],
    ]);
  });

  test("refuses reasons that it does not know, and whoever may not write keys", async () => {
    const { tenant, child } = await makeFamily();
    const reader = await makeKey(tenant.call, { scopes: ["keys:read"] });
    const answers = [
      await revoke(child, tenant.call, { reason: "bored" }),
      await revoke(child, reader.call),
      await ask("DELETE", `/v1/api-keys/${child.id}?cascade=maybe`, tenant.call),
    ];

    expect(answers.map((answer) => refusalOf(answer as never))).toMatchObject([
      { status: 400, pointers: ["#/reason"] },
      { status: 403, code: "insufficient_scope" },
      { status: 400, pointers: ["#/query/cascade"] },
    ]);
    expect(await statusesOf(child)).toEqual([200]);
  });
});

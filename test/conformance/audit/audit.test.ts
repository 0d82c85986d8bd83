// A leaked key, over HTTP alone: what it made goes with it, and the audit says who did what.
import { expect, test } from "vitest";

import { createAgent, createTenant, request } from "../../support/platform-client.ts";

interface Key {
  readonly id: string;
  readonly api_key: string;
}

interface Entry {
  readonly action: string;
  readonly target_id: string;
  readonly actor: { readonly id: string | null };
}

test("a leaked key takes along what it made, and its acts can be exported", async () => {
  const { id, key } = await createTenant();
  const make = async (by: string) =>
    (await request<Key>("POST", "/v1/api-keys", { key: by, body: {} })).body;
  const leaked = await make(key);
  const made = await make(leaked.api_key);
  const agentId = await createAgent(made.api_key);
  const revoked = await request<{ revoked_key_ids: readonly string[] }>(
    "POST",
    `/v1/api-keys/${leaked.id}/revoke`,
    { key, body: { reason: "leaked" } },
  );
  const [thief, owner] = [
    await request("GET", "/v1/agents", { key: made.api_key }),
    await request("GET", "/v1/agents", { key }),
  ];
  const listed = await request<{ data: readonly Entry[] }>("GET", "/v1/audit?limit=100", { key });
  const narrowed = await request<{ data: readonly Entry[] }>(
    "GET",
    `/v1/audit?actor_id=${made.id}`,
    { key },
  );

  expect([...revoked.body.revoked_key_ids].sort()).toEqual([leaked.id, made.id].sort());
  expect([thief.status, owner.status]).toEqual([401, 200]);
  expect(listed.body.data.map(({ action, target_id }) => [action, target_id])).toEqual([
    ["api_key.revoked", leaked.id],
    ["agent.created", agentId],
    ["api_key.created", made.id],
    ["api_key.created", leaked.id],
    // The tenant and the key that it has here, which the operator made.
    ["api_key.created", listed.body.data.at(-2)?.target_id],
    ["tenant.created", id],
  ]);
  expect(listed.body.data.at(-1)?.actor.id).toBeNull();
  expect(narrowed.body.data.map(({ target_id }) => target_id)).toEqual([agentId]);
});

// Credentials that a key makes do not outlast the key.
import { expect, it } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import { ask, openSession, type Call } from "../support/api.ts";

type Made = Readonly<Record<"expires_at" | "url" | "id", string>>;

async function makeWith(by: Call, sessionPath: string) {
  const file = await ask<Made>("POST", "/v1/files", {
    ...by,
    body: "Hello",
    headers: { "Content-Type": "text/plain" },
  });
  const json = { ttl_seconds: 3_600 };
  const link = await ask<Made>("POST", `/v1/files/${file.json.id}/links`, { ...by, json });
  const verbs = { verbs: ["read"], ...json };
  const token = await ask<Made>("POST", `${sessionPath}/tokens`, { ...by, json: verbs });
  return { link: link.json, token: token.json };
}

async function keyOf({ key }: Call, more: object): Promise<Call & { readonly id: string }> {
  const made = await ask<CreatedApiKey>("POST", "/v1/api-keys", { key, json: more });
  return { key: made.json.api_key, id: made.json.id };
}

it("links to files and client tokens expire with the key that made them, or before", async () => {
  const { call, path } = await openSession();
  const expires_at = new Date(Date.now() + 60_000).toISOString();
  const { link, token } = await makeWith(await keyOf(call, { expires_at }), path);
  const lasting = await makeWith(await keyOf(call, {}), path);

  expect([link.expires_at, token.expires_at]).toEqual([expires_at, expires_at]);
  for (const { expires_at: end } of Object.values(lasting)) expect(end > expires_at).toBe(true);
});

it.each([
  ["alone", {}, 200],
  ["with what it has made", { cascade: true }, 401],
  ["as leaked", { reason: "leaked" }, 401],
])("a link of a key that is revoked %s is answered so", async (_, json, status) => {
  const { call, path } = await openSession();
  const by = await keyOf(call, {});
  const { link } = await makeWith(by, path);
  await ask("POST", `/v1/api-keys/${by.id}/revoke`, { ...call, json });

  expect((await ask("GET", new URL(link.url).pathname, {})).status).toBe(status);
});

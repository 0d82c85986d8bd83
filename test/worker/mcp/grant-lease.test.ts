// The lease to renew a grant: of several machines one has it, whatever their clocks say.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { REFRESH_LEASE_MS } from "../../../protocol/mcp/limits.ts";
import { grantStorage } from "../../../storage/mcp/grant-storage.ts";
import type { Granted } from "../../../protocol/mcp/grant-store.ts";
import { makeTenant } from "../support/api.ts";

async function open() {
  const { id: tenant_id } = await makeTenant();
  const owner = { tenant_id, mcp_server_id: "mcp_1", server_version: 1, end_user_id: "ada" };
  const store = grantStorage(env, owner, () => undefined);
  return { store, row: await store.ensure("{}") };
}

const server = { issuer: "https://login.example" };
const client = { server, resource: "r", client_id: "c", redirect_uri: "u" };
const attempt = { url: "https://login.example", state: "s", code_verifier: "v", client };
const granted: Granted = { client, tokens: { access_token: "a" }, expires_at: 9e15 };

it("a machine whose clock is behind gets no lease that another one has", async () => {
  const { store, row } = await open();
  const untilMs = Date.now() + REFRESH_LEASE_MS;
  const first = await store.lease(row.version, untilMs);
  const behind = await store.lease(row.version, untilMs - 5_000);

  expect([first, behind]).toEqual([true, false]);
});

it("a lease of hours, by a clock that was set back, is none", async () => {
  const { store, row } = await open();
  await store.lease(row.version, Date.now() + 3_600_000);

  expect(await store.lease(row.version, Date.now() + REFRESH_LEASE_MS)).toBe(true);
});

it("a sign-in that begins leaves the lease to its holder, and the grant takes it back", async () => {
  const { store, row } = await open();
  const untilMs = Date.now() + REFRESH_LEASE_MS;
  await store.lease(row.version, untilMs);
  await store.begin(row.version, attempt, untilMs);
  const during = await store.lease(row.version + 1, untilMs);
  await store.activate(row.version + 1, granted);

  expect([during, await store.lease(row.version + 2, untilMs)]).toEqual([false, true]);
});

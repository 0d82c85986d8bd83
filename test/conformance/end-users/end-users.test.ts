// An end user erased and exported over HTTP, with the queue as it is.
import { expect, inject, test } from "vitest";

import type { EndUserExportLine } from "../../../sdk/index.ts";
import { Reprise } from "../../../sdk/index.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

test("an end user is exported and then erased, and another one with the same words stays", async () => {
  const [{ key }, other] = [await createTenant(), await createTenant()];
  const reprise = new Reprise({ apiKey: key, baseUrl: inject("baseUrl") });
  const theirs = new Reprise({ apiKey: other.key, baseUrl: inject("baseUrl") });
  for (const [shop, apiKey, end_user_id] of [
    [reprise, key, "ada"],
    [reprise, key, "ada"],
    [reprise, key, "adam"],
    [theirs, other.key, "ada"],
  ] as const) {
    const agent_id = await createAgent(apiKey, { name: "Refund desk" });
    const session = await shop.sessions.create({ agent_id, end_user_id });
    await session.reply("/say pelican").done();
  }

  const text = await (await reprise.endUsers.export("ada")).text();
  const lines = text.trim().split("\n");
  const types = lines.map((line) => (JSON.parse(line) as EndUserExportLine).type);
  expect([types.filter((type) => type === "message").length, types.at(-1)]).toEqual([4, "end"]);
  expect(text).not.toContain("adam");

  const removal = await reprise.endUsers.delete("ada");
  expect(removal).toEqual({ end_user_id: "ada", requested_at: expect.any(String) });
  const left = async (shop: Reprise, end_user_id: string) =>
    (await shop.sessions.list({ end_user_id }).page()).data.length;
  await waitFor(async () => (await left(reprise, "ada")) === 0);
  expect([await left(reprise, "adam"), await left(theirs, "ada")]).toEqual([1, 1]);
  expect(await (await reprise.endUsers.export("ada")).text()).toBe(
    '{"type":"end","next_page":null}\n',
  );
  const { data } = await reprise.audit.list({ action: "end_user.deleted" }).page();
  expect(data.map(({ target_id }) => target_id)).toEqual(["ada"]);
});

test("a client token reaches no end user as a whole, not even its own", async () => {
  const { key } = await createTenant();
  const reprise = new Reprise({ apiKey: key, baseUrl: inject("baseUrl") });
  const agent_id = await createAgent(key, { name: "Refund desk" });
  const session = await reprise.sessions.create({ agent_id, end_user_id: "ada" });
  const { token } = await session.tokens.create({ verbs: ["read", "reply"] });
  for (const [method, path] of [
    ["DELETE", "/v1/end-users/ada"],
    ["GET", "/v1/end-users/ada/export"],
  ] as const) {
    const { status } = await request(method, path, { key: token });
    expect([method, status]).toEqual([method, 403]);
  }
});

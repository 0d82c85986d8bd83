// A search over sessions by base URL alone: found, changed, erased, and never another tenant's.
import { expect, test } from "vitest";

import { createAgent, createTenant, request } from "../../support/platform-client.ts";

interface FoundPage {
  readonly data: readonly { readonly id: string; readonly title: string }[];
  readonly search_complete: boolean;
}

async function openShop() {
  const { key } = await createTenant();
  const agent_id = await createAgent(key);
  return {
    key,
    say: async (input: string, settings: object = {}): Promise<string> => {
      const body = { agent_id, ...settings };
      const { body: session } = await request<{ id: string }>("POST", "/v1/sessions", {
        key,
        body,
      });
      await request("POST", `/v1/sessions/${session.id}/replies`, { key, body: { input } });
      return session.id;
    },
    find: async (search: string): Promise<readonly string[]> => {
      const path = `/v1/sessions?search=${encodeURIComponent(search)}`;
      return (await request<FoundPage>("GET", path, { key })).body.data.map(({ id }) => id);
    },
  };
}

test("a session is found by its title and its first message, by two characters of Chinese, and not once it is deleted", async () => {
  const [shop, other] = [await openShop(), await openShop()];
  const first = await shop.say("Where is my order A-1007?");
  const second = await shop.say("我想申请退款", { title: "VIP order" });
  await other.say("Where is my order, too?");
  // Lists have what was said when their session has told it.
  await expect.poll(() => shop.find("a-1007 WHERE")).toEqual([first]);
  await expect.poll(() => shop.find("退款")).toEqual([second]);
  const found = [await shop.find("order"), await shop.find('"退款" OR a')];

  await request("DELETE", `/v1/sessions/${second}`, { key: shop.key });
  found.push(await shop.find("order"));

  expect(found).toEqual([[second, first], [], [first]]);
});

test("a search that is off says how it is turned on, and one of nothing what it lacks", async () => {
  const { key, say, find } = await openShop();
  const id = await say("hello");
  const set = (enabled: boolean) =>
    request("PATCH", "/v1/session-search", { key, body: { enabled } });
  await set(false);
  const refused = [
    await request("GET", "/v1/sessions?search=hello", { key }),
    await request("GET", "/v1/sessions?search=%22", { key }),
  ];
  await set(true);

  expect(refused.map(({ status, body }) => [status, body["code"]])).toEqual([
    [409, "search_off"],
    [400, "validation_failed"],
  ]);
  expect(refused[0]?.body["detail"]).toContain("PATCH /v1/session-search");
  await expect.poll(() => find("hello")).toEqual([id]);
});

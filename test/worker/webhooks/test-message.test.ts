// POST /v1/webhook-endpoints/{endpoint_id}/test, with a receiver on loopback.
import { expect, test } from "vitest";

import { app } from "../../../worker/app.ts";
import { ask } from "../support/api.ts";
import { makeEndpoint, makeShop, readDeliveries, receivedAt } from "./endpoint.ts";

const ENDPOINTS = "/v1/webhook-endpoints";

test("a test message goes to one endpoint on request, whatever it subscribes to", async () => {
  const shop = await makeShop();
  const path = `${ENDPOINTS}/${shop.endpoint.id}/test`;
  const headers = { Authorization: `Bearer ${shop.call.key}` };
  await ask("PATCH", `${ENDPOINTS}/${shop.endpoint.id}`, {
    ...shop.call,
    json: { events: ["session.deleted"] },
  });
  const other = await makeEndpoint(shop.call, { events: ["*"] });

  const answer = await app.request(path, { method: "POST", headers }, shop.bindings);
  const shown: object = await answer.json();
  await shop.consume(shop.held.take());

  const [delivery, ...more] = await readDeliveries(shop.call, shop.endpoint.id);
  const { payload, attempts, ...delivered } = delivery!;
  expect([answer.status, more, await readDeliveries(shop.call, other.id)]).toEqual([202, [], []]);
  expect(shown).toEqual({
    ...delivered,
    status: "pending",
    attempt_count: 0,
    next_attempt_at: delivered.created_at,
    finished_at: null,
  });
  expect([delivered.status, attempts.map(({ status }) => status)]).toEqual(["delivered", [200]]);
  expect(payload).toEqual({
    type: "webhook_endpoint.test",
    timestamp: delivered.created_at,
    data: { endpoint_id: shop.endpoint.id },
  });
  const [post] = await receivedAt(shop.endpoint.url);
  expect(JSON.parse(post!.text)).toEqual(payload);
});

test("no test message is made for an endpoint that is disabled, of another tenant or not there", async () => {
  const shop = await makeShop();
  const stranger = await makeShop();
  const path = `${ENDPOINTS}/${shop.endpoint.id}`;
  await ask("PATCH", path, { ...shop.call, json: { disabled: true } });

  const answers = [
    await ask("POST", `${path}/test`, shop.call),
    await ask("POST", `${path}/test`, stranger.call),
    await ask("POST", `${ENDPOINTS}/whk_${"0".repeat(26)}/test`, shop.call),
  ];

  expect(answers.map(({ status }) => status)).toEqual([409, 404, 404]);
  expect(await readDeliveries(shop.call, shop.endpoint.id)).toEqual([]);
});

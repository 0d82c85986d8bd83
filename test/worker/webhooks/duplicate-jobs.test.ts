// A job that the queue gives again long after its attempt was made, when the next attempt is due or over.
import { expect, inject, test } from "vitest";

import { makeShop, readDeliveries, receivedAt, receiverPath } from "./endpoint.ts";

test("a job that comes again when the next attempt is due sends nothing, and brings the next one", async () => {
  const shop = await makeShop({ url: inject("webhookReceiverUrl") + receiverPath("500") });
  await shop.publish();
  const [job] = shop.held.take();
  await shop.consume([job!]);
  shop.held.take();
  await shop.letTimePass();

  const again = await shop.consume([job!, job!]);

  expect(again).toEqual({ acked: 2, retried: [] });
  expect(await receivedAt(shop.endpoint.url)).toHaveLength(1);
  expect(shop.held.take()).toEqual([
    { ...job, attempt: 2 },
    { ...job, attempt: 2 },
  ]);
});

test("a job of an attempt before the last one sends nothing and brings nothing", async () => {
  const shop = await makeShop({ url: inject("webhookReceiverUrl") + receiverPath("500,500,200") });
  await shop.publish();
  const [first] = shop.held.take();
  await shop.consume([first!]);
  const [second] = shop.held.take();
  await shop.letTimePass();
  await shop.consume([second!]);
  const [third] = shop.held.take();
  await shop.letTimePass();

  const late = await shop.consume([first!]);
  const posts = [await receivedAt(shop.endpoint.url)];
  const jobs = shop.held.take();
  await shop.consume([third!]);
  const afterAll = await shop.consume([first!, second!, third!]);
  posts.push(await receivedAt(shop.endpoint.url));

  expect([late, jobs, afterAll, shop.held.take()]).toEqual([
    { acked: 1, retried: [] },
    [],
    { acked: 3, retried: [] },
    [],
  ]);
  expect(posts.map(({ length }) => length)).toEqual([2, 3]);
  const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
  expect([delivery!.status, delivery!.attempts.map(({ status }) => status)]).toEqual([
    "delivered",
    [500, 500, 200],
  ]);
});

// Jobs that nobody here has written, or whose delivery never was: they harm no other job of their batch.
import { expect, test } from "vitest";

import { newId } from "../../../worker/new-id.ts";
import type { WebhookJob } from "../../../storage/webhooks/webhook-job.ts";
import { hearLog, JOB_FAILED } from "../../support/hear-log.ts";
import { makeShop, readDeliveries, receivedAt } from "./endpoint.ts";

const RETRIED = [30];

test.each<[string, unknown, { acked: number; retried: readonly number[] }]>([
  ["null", null, { acked: 1, retried: RETRIED }],
  ["a text", "poison", { acked: 1, retried: RETRIED }],
  ["an empty object", {}, { acked: 1, retried: RETRIED }],
  [
    "of no delivery",
    { tenant_id: newId("ten"), delivery_id: newId("whd"), attempt: 1 },
    { acked: 2, retried: [] },
  ],
  [
    "of an odd attempt",
    { tenant_id: newId("ten"), delivery_id: newId("whd"), attempt: -1 },
    { acked: 2, retried: [] },
  ],
])("a job that is %s keeps no other from being done", async (_, poison, expected) => {
  const log = hearLog();
  const shop = await makeShop();
  await shop.publish();

  const result = await shop.consume([poison as WebhookJob, ...shop.held.take()]);

  expect(result).toEqual(expected);
  expect(log).toEqual(expected.retried.map(() => JOB_FAILED));
  expect(await receivedAt(shop.endpoint.url)).toHaveLength(1);
  const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
  expect(delivery!.status).toBe("delivered");
});

test("a job of another tenant's delivery sends nothing", async () => {
  const [shop, other] = [await makeShop(), await makeShop()];
  await shop.publish();
  const [job] = shop.held.take();

  const result = await shop.consume([{ ...job!, tenant_id: other.tenantId }]);

  expect(result).toEqual({ acked: 1, retried: [] });
  expect(await receivedAt(shop.endpoint.url)).toEqual([]);
});

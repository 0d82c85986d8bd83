// Jobs that have failed each time that a queue gave them.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import type { QueueJob } from "../../../storage/sessions/queue-job.ts";
import { queue } from "../../../worker/jobs/queue.ts";
import { brokenDatabase } from "../support/broken-database.ts";
import { clearWebhooks, makeShop } from "./endpoint.ts";

beforeEach(clearWebhooks);

async function giveUp(job: unknown, bindings: Partial<Env> = {}) {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
  const message = { id: "m1", timestamp: new Date(), attempts: 1, body: job as QueueJob };
  const batch = createMessageBatch<QueueJob>("reprise-dead-letters", [message]);
  const context = createExecutionContext();
  await queue(batch, { ...env, ...bindings }, context);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
  return {
    acks: explicitAcks.length,
    retries: retryMessages.length,
    errors: logs[0]!.mock.calls,
  };
}

test("a delivery whose job was given up is logged, and gets another job with the next sweep", async () => {
  const shop = await makeShop();
  await shop.publish();
  const [job] = shop.held.take();
  await shop.sweep();
  const before = shop.held.take();

  const given = await giveUp(job);
  await shop.sweep();

  expect(given).toEqual({
    acks: 1,
    retries: 0,
    errors: [["queue: job failed permanently and was moved to the dead letter queue", { job }]],
  });
  expect([before, shop.held.take()]).toEqual([[], [job]]);
});

test.each([
  ["a deletion", { kind: "session_removal", tenant_id: "ten_1", session_id: "ses_1" }],
  ["a sweep", { kind: "walk", after: "" }],
  ["nothing", null],
  ["a text", "poison"],
])("a job that is %s is logged and done with", async (_, job) => {
  expect(await giveUp(job)).toEqual({
    acks: 1,
    retries: 0,
    errors: [["queue: job failed permanently and was moved to the dead letter queue", { job }]],
  });
});

test("a job that is given up while D1 is down comes again", async () => {
  const shop = await makeShop();
  await shop.publish();
  const [job] = shop.held.take();

  const { acks, retries } = await giveUp(job, { DB: brokenDatabase() });

  expect([acks, retries]).toEqual([0, 1]);
});

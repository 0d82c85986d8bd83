// A batch of the queue is over when its attempts are claimed: no receiver is waited for.
import { createMessageBatch } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";

import type { QueueJob } from "../../../storage/sessions/queue-job.ts";
import { queue } from "../../../worker/jobs/queue.ts";
import { makeShop, readDeliveries } from "./endpoint.ts";

/** Requests that leave hang until the test lets them go. */
function holdRequests() {
  const real = globalThis.fetch;
  const gate = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => gate.promise);
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    answer: () => gate.resolve(new Response(null, { status: 204 })),
    /** Lets the test's own requests through. */
    release: () => vi.stubGlobal("fetch", real),
  };
}

test("jobs are answered for, and others' taken, while a receiver has not answered", async () => {
  const [slow, other] = [await makeShop(), await makeShop()];
  await slow.publish();
  await other.publish();
  const [slowJob] = slow.held.take();
  const requests = holdRequests();
  const batch = createMessageBatch<QueueJob>("reprise-webhooks", [
    { id: "m1", timestamp: new Date(), attempts: 1, body: slowJob! },
  ]);
  const acked = vi.spyOn(batch.messages[0]!, "ack");
  const behind: Promise<unknown>[] = [];

  await queue(batch, slow.bindings, { waitUntil: (work) => void behind.push(work) });
  const [before] = await readDeliveries(slow.call, slow.endpoint.id);
  requests.release();
  const beside = await other.consume(other.held.take());
  const [delivered] = await readDeliveries(other.call, other.endpoint.id);
  requests.answer();
  await Promise.all(behind);
  const [after] = await readDeliveries(slow.call, slow.endpoint.id);

  expect([acked.mock.calls.length, behind.length, beside]).toEqual([
    1,
    1,
    { acked: 1, retried: [] },
  ]);
  expect([before, delivered, after].map((one) => [one!.status, one!.attempts.length])).toEqual([
    ["pending", 0],
    ["delivered", 1],
    ["delivered", 1],
  ]);
});

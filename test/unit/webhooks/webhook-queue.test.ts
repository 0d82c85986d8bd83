import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

import {
  MAX_REMOVAL_RETRIES,
  MAX_WEBHOOK_JOB_RETRIES,
  SWEEP_INTERVAL_MS,
} from "../../../protocol/operator/limits.ts";

const CONFIG_PATH = fileURLToPath(new URL("../../../wrangler.toml", import.meta.url));
/** Outgoing connections that a Worker may have open at a time. */
const CONNECTIONS = 6;
const DEAD_LETTERS = "reprise-dead-letters";

interface QueueSettings {
  readonly producers: readonly { readonly binding: string; readonly queue: string }[];
  readonly consumers?: readonly {
    readonly queue: string;
    readonly max_batch_size?: number;
    readonly max_retries?: number;
    readonly dead_letter_queue?: string;
  }[];
}

const config = unstable_readConfig({ config: CONFIG_PATH });
const { producers, consumers = [] } = config.queues as QueueSettings;

test("webhooks and removals have a queue each, whose jobs end in a third one that is consumed too", () => {
  expect(producers.map(({ binding, queue }) => [binding, queue])).toEqual([
    ["WEBHOOK_QUEUE", "reprise-webhooks"],
    ["REMOVAL_QUEUE", "reprise-removals"],
  ]);
  const shown = consumers.map(({ queue, max_retries, dead_letter_queue }) => [
    queue,
    max_retries,
    dead_letter_queue,
  ]);
  expect(shown).toEqual([
    ["reprise-webhooks", MAX_WEBHOOK_JOB_RETRIES, DEAD_LETTERS],
    ["reprise-removals", MAX_REMOVAL_RETRIES, DEAD_LETTERS],
    [DEAD_LETTERS, 3, undefined],
  ]);
});

test("a batch has fewer messages than a Worker has connections, and ends without waiting for receivers", () => {
  const sizes = consumers.map(({ max_batch_size: size }) => size ?? Infinity);

  expect(Math.max(...sizes)).toBeLessThan(CONNECTIONS);
  expect(config.compatibility_flags).toContain("queue_consumer_no_wait_for_wait_until");
});

test("the sweep comes every minute", () => {
  expect([config.triggers.crons, SWEEP_INTERVAL_MS]).toEqual([["* * * * *"], 60_000]);
});

import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

const CONFIG_PATH = fileURLToPath(new URL("../../../wrangler.toml", import.meta.url));
/** Outgoing connections that a Worker may have open at a time. */
const CONNECTIONS = 6;

test("the queue that webhooks are given to is the one that is consumed, a connection for each message", () => {
  const { queues } = unstable_readConfig({ config: CONFIG_PATH });

  const [consumer, ...more] = queues.consumers ?? [];

  expect(queues.producers).toMatchObject([{ binding: "WEBHOOK_QUEUE", queue: consumer?.queue }]);
  expect(more).toEqual([]);
  expect(consumer?.max_batch_size).toBeLessThan(CONNECTIONS);
});

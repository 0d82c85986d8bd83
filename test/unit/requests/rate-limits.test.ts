import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

import { REQUEST_QUOTAS } from "../../../protocol/quotas/contract.ts";
import {
  TOKEN_REQUESTS_PER_WINDOW,
  RATE_LIMIT_WINDOW_SECONDS,
  UNAUTHENTICATED_REQUESTS_PER_WINDOW,
  TENANT_REQUESTS_PER_WINDOW,
} from "../../../protocol/requests/limits.ts";

const CONFIG_PATH = fileURLToPath(new URL("../../../wrangler.toml", import.meta.url));

interface Limits {
  readonly [name: string]: { readonly simple: { readonly limit: number; readonly period: number } };
}

test("the runtime is given the rate limits that the limits of protocol/ name", () => {
  const config = unstable_readConfig({ config: CONFIG_PATH });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  const limits = Object.entries(workerOptions["ratelimits"] as Limits);

  const period = RATE_LIMIT_WINDOW_SECONDS;
  expect(limits.map(([name, { simple }]) => [name, simple])).toEqual([
    ["TENANT_LIMIT", { limit: TENANT_REQUESTS_PER_WINDOW, period }],
    ["TENANT_LIMIT_1000", { limit: 1_000, period }],
    ["TENANT_LIMIT_100", { limit: 100, period }],
    ["TOKEN_LIMIT", { limit: TOKEN_REQUESTS_PER_WINDOW, period }],
    ["ADDRESS_LIMIT", { limit: UNAUTHENTICATED_REQUESTS_PER_WINDOW, period }],
  ]);
  // Each quota of requests that a tenant may have is one of them.
  const sizes = limits
    .filter(([name]) => name.startsWith("TENANT_"))
    .map(([, { simple }]) => simple.limit);
  expect(sizes.toSorted((a, b) => a - b)).toEqual([...REQUEST_QUOTAS]);
});

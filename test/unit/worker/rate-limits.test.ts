import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

import { TOKEN_REQUESTS_PER_WINDOW } from "../../../protocol/limits-requests.ts";
import {
  RATE_LIMIT_WINDOW_SECONDS,
  STRANGER_REQUESTS_PER_WINDOW,
  TENANT_REQUESTS_PER_WINDOW,
} from "../../../protocol/limits.ts";

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
    ["TOKEN_LIMIT", { limit: TOKEN_REQUESTS_PER_WINDOW, period }],
    ["ADDRESS_LIMIT", { limit: STRANGER_REQUESTS_PER_WINDOW, period }],
  ]);
});

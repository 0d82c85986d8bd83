import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

const CONFIG_PATH = fileURLToPath(new URL("../../../wrangler.toml", import.meta.url));

test("requests to addresses of tenants' choice come into the platform's own zone like anybody's", () => {
  const { compatibility_flags } = unstable_readConfig({ config: CONFIG_PATH });

  expect(compatibility_flags).toContain("global_fetch_strictly_public");
});

import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

const CONFIG_PATH = fileURLToPath(new URL("../../../wrangler.toml", import.meta.url));

test("no address of a request is kept with the logs: neither a stream's ticket nor a callback's path", () => {
  const { observability } = unstable_readConfig({ config: CONFIG_PATH });

  expect(observability).toEqual({
    enabled: true,
    redact_query_string: true,
    logs: { enabled: true, invocation_logs: false },
  });
});

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const CONFIG_PATH = `${ROOT}/wrangler.toml`;

test("no address of a request is kept with the logs: neither a stream's ticket nor a callback's path", () => {
  const { observability } = unstable_readConfig({ config: CONFIG_PATH });

  expect(observability).toEqual({
    enabled: true,
    redact_query_string: true,
    logs: { enabled: true, invocation_logs: false },
  });
});

test("no line of the platform's own logs has an address in it", () => {
  const files = globSync("{worker,durable-objects,storage,tools,model,agent}/**/*.ts", {
    cwd: ROOT,
  });
  const calls = files.flatMap((file) =>
    [...readFileSync(`${ROOT}/${file}`, "utf8").matchAll(/console\.\w+\([^;]*;/g)].map(
      ([call]) => `${file}: ${call}`,
    ),
  );

  expect(calls.length).toBeGreaterThan(20);
  expect(calls.filter((call) => /\b(?:url|href|query|search|headers)\b/i.test(call))).toEqual([]);
});

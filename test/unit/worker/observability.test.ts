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
  const calls = files.flatMap((file) => {
    const text = readFileSync(`${ROOT}/${file}`, "utf8");
    // The text of a line is what is written here: values alone can have an address.
    const found = [...text.matchAll(/console\.\w+\((?:"[^"]*"|[^;"])*;/g)];
    return found.map(([call]) => ({ file, call: call.replaceAll(/"[^"]*"/g, '""') }));
  });

  expect(calls.length).toBeGreaterThan(20);
  expect(calls.filter(({ call }) => /\b(?:url|href|query|search|headers)\b/i.test(call))).toEqual(
    [],
  );
});

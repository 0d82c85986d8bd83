// docs/deploy.md has a command or a sentence for everything that wrangler.toml asks of an account.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";

import { findUndocumented, type DeploymentConfig } from "../../support/find-undocumented.ts";

const ROOT = new URL("../../../", import.meta.url);
const PAGE = readFileSync(new URL("docs/deploy.md", ROOT), "utf8");
const TOML = readFileSync(new URL("wrangler.toml", ROOT), "utf8");
const config: DeploymentConfig = {
  ...(readConfig({ config: new URL("wrangler.toml", ROOT).pathname }) as object),
};
const [head = ""] = TOML.split(/^\[/m);
/** The top-level keys and tables: `[[queues.producers]]` belongs to `queues`. */
const sections = [
  ...new Set(
    [...head.matchAll(/^(\w+)\s*=/gm), ...TOML.matchAll(/^\[\[?(\w+)/gm)].map(
      ([, name = ""]) => name,
    ),
  ),
];
/** The secrets that the Worker cannot do without: the members of Env in capitals whose type is a plain string. */
const secrets = [
  ...readFileSync(new URL("worker/env.d.ts", ROOT), "utf8").matchAll(
    /readonly ([A-Z_]+): string;/g,
  ),
]
  .map(([, name = ""]) => name)
  .filter((name) => !(name in (config.vars ?? {})));

const QUEUES = config.queues ?? {};

test("docs/deploy.md leaves out no part of wrangler.toml", () => {
  expect(secrets).toEqual(["OPERATOR_KEY", "KEY_PEPPER", "MASTER_KEY"]);
  expect(QUEUES.producers).toHaveLength(2);
  expect(findUndocumented(PAGE, config, sections, secrets)).toEqual([]);
});

describe("without its words, an addition is found:", () => {
  test.each<[string, Partial<DeploymentConfig>, string]>([
    ["a variable", { vars: { ...config.vars, NEW: "1" } }, "variable NEW"],
    ["a flag", { compatibility_flags: ["new_flag"] }, "flag new_flag"],
    ["a cron", { triggers: { crons: ["0 0 * * *"] } }, "cron 0 0 * * *"],
    ["a database", { d1_databases: [{ binding: "B", database_name: "b" }] }, "database b"],
    [
      "a folder of migrations",
      { d1_databases: [{ binding: "DB", database_name: "reprise", migrations_dir: "other" }] },
      "migrations of DB",
    ],
    ["a producer", { queues: { producers: [{ binding: "Q", queue: "q" }] } }, "producer Q"],
    ["a consumer", { queues: { consumers: [{ queue: "c" }] } }, "queue c"],
    [
      "a dead letter queue",
      { queues: { consumers: [{ queue: "reprise-webhooks", dead_letter_queue: "d" }] } },
      "queue d",
    ],
    [
      "an object",
      { durable_objects: { bindings: [{ name: "O", class_name: "OtherObject" }] } },
      "object O",
    ],
    ["a bucket", { r2_buckets: [{ binding: "B", bucket_name: "b" }] }, "bucket b"],
    ["a rate limit", { ratelimits: [{ name: "NEW_LIMIT" }] }, "rate limit NEW_LIMIT"],
  ])("%s", (_, change, what) => {
    const found = findUndocumented(PAGE, { ...config, ...change }, sections, secrets);

    expect(found.some((line) => line.startsWith(`${what}: `))).toBe(true);
  });

  test("a secret, and a kind of binding that was not there", () => {
    const found = findUndocumented(
      PAGE,
      config,
      [...sections, "kv_namespaces"],
      [...secrets, "NEW"],
    );

    expect(found).toEqual([
      "secret NEW: npx wrangler secret put NEW",
      "secret NEW: | `NEW` |",
      "section kv_namespaces",
    ]);
  });
});

test("the words that docs/deploy.md and docs/security/self-hosting.md set an alert on are logged", () => {
  const hosting = readFileSync(new URL("docs/security/self-hosting.md", ROOT), "utf8");
  const source = readFileSync(new URL("worker/jobs/dead-letters.ts", ROOT), "utf8");
  const [, alert] = /Set an alert on `([^`]+)`/.exec(PAGE) ?? [];
  const [, watched] = /Watch the log for `([^`]+)`/.exec(hosting) ?? [];
  const [, logged] = /console\.error\("([^"]+)"/.exec(source) ?? [];

  expect(logged).toMatch(/dead letter queue$/);
  expect([alert, watched]).toEqual([logged, logged]);
});

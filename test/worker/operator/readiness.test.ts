// A deployment's report of itself while parts of its configuration are missing.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import type { Readiness } from "../../../protocol/operator/readiness.ts";
import { READINESS_CACHE_MS, READINESS_TIMEOUT_MS } from "../../../protocol/requests/limits.ts";
import { ask, makeTenant, OPERATOR } from "../support/api.ts";
import { brokenDatabase } from "../support/broken-database.ts";

const OK = {
  secrets: "ok",
  variables: "ok",
  bindings: "ok",
  rate_limits: "ok",
  database: "ok",
  objects: "ok",
};
const MIGRATE = "npx wrangler d1 migrations apply DB --remote";
/** In the order in which they are applied. */
const EVERY_MIGRATION = [
  "0000_baseline.sql",
  "0001_files.sql",
  "0002_costs.sql",
  "0003_console_routes.sql",
  "0004_console.sql",
  "0005_skills.sql",
  "0006_mcp.sql",
  "0007_token_issuers.sql",
  "0008_connections.sql",
  "0009_database_bytes.sql",
  "0010_catalogue_failures.sql",
  "0011_retired_versions.sql",
  "0012_end_user_share.sql",
  "0013_renamed_credentials.sql",
  "0014_session_titles.sql",
  "0015_reply_hours.sql",
  "0016_members.sql",
  "0017_sign_in_providers.sql",
  "0018_session_search.sql",
  "0019_people_of_the_operator.sql",
  "0020_end_user_removals.sql",
  "0021_memory_stores.sql",
  "0022_child_sessions.sql",
  "0023_triggers.sql",
  "0024_rooms.sql",
  "0025_a2a_tasks.sql",
  "0026_room_triggers.sql",
  "0027_audio_usage.sql",
];

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

/** The platform's bindings with some of another value; each call is an `env` of its own, of which nothing is kept. */
function envWith(changes: { readonly [Name in keyof Env]?: unknown }): Env {
  return { ...env, ...changes } as Env;
}

async function readyz(bindings: Env) {
  const { status, headers, json } = await ask<Readiness>("GET", "/readyz", { bindings });
  const missing = json.missing.map(({ name, problem }) => `${name} ${problem}`);
  return { status, cache: headers.get("Cache-Control"), json, missing };
}

/** D1 without any table, or with some statements replaced. */
function databaseThat(prepare: (sql: string) => unknown): D1Database {
  return new Proxy(env.DB, {
    get: (target, name) => (name === "prepare" ? prepare : (Reflect.get(target, name) as unknown)),
  });
}

describe("/readyz", () => {
  test("answers 200 when everything is there, and caches do not keep it", async () => {
    const { status, cache, json } = await readyz(envWith({}));

    expect({ status, cache, json }).toEqual({
      status: 200,
      cache: "no-store",
      json: { status: "ready", checks: OK, missing: [] },
    });
  });

  test.each([
    ["OPERATOR_KEY", undefined, "secrets", "OPERATOR_KEY is not set"],
    ["KEY_PEPPER", undefined, "secrets", "KEY_PEPPER is not set"],
    ["KEY_PEPPER", "", "secrets", "KEY_PEPPER is not set"],
    ["KEY_PEPPER", "short", "secrets", "KEY_PEPPER has fewer than 16 characters"],
    ["KEY_PEPPER_NEXT", "short", "secrets", "KEY_PEPPER_NEXT has fewer than 16 characters"],
    ["MASTER_KEY", undefined, "secrets", "MASTER_KEY is not set"],
    ["MASTER_KEY", "no base64!", "secrets", "MASTER_KEY is not 32 bytes in base64"],
    [
      "MASTER_KEY",
      btoa("31 bytes, one fewer than needed"),
      "secrets",
      "MASTER_KEY is not 32 bytes in base64",
    ],
    ["CARD_KEY", undefined, "secrets", "CARD_KEY is not set"],
    ["CARD_KEY_NEXT", btoa("short"), "secrets", "CARD_KEY_NEXT is not 32 bytes in base64"],
    ["ENVIRONMENT", undefined, "variables", "ENVIRONMENT is not set"],
    [
      "ENVIRONMENT",
      "production",
      "variables",
      "PUBLIC_URL is not set: `https://` and the platform's own host",
    ],
    [
      "PUBLIC_URL",
      "https://a.example/v1",
      "variables",
      "PUBLIC_URL is no `https://host`, with nothing behind the host",
    ],
    [
      "ALLOWED_SPECIAL_NAMES",
      "corp, https://vault.internal",
      "variables",
      "ALLOWED_SPECIAL_NAMES has an entry that is no host name, such as `corp` or `vault.internal`",
    ],
    ["DB", undefined, "bindings", "DB is not bound"],
    ["SESSION", undefined, "bindings", "SESSION is not bound"],
    ["TENANT", undefined, "bindings", "TENANT is not bound"],
    ["SEARCH", undefined, "bindings", "SEARCH is not bound"],
    ["MEMORY", undefined, "bindings", "MEMORY is not bound"],
    ["WEBHOOK_QUEUE", undefined, "bindings", "WEBHOOK_QUEUE is not bound"],
    ["REMOVAL_QUEUE", undefined, "bindings", "REMOVAL_QUEUE is not bound"],
    ["FILES", undefined, "bindings", "FILES is not bound"],
    ["TENANT_LIMIT", undefined, "rate_limits", "TENANT_LIMIT is not bound"],
    ["ADDRESS_LIMIT", undefined, "rate_limits", "ADDRESS_LIMIT is not bound"],
  ])("with %s as %j fails the check %s: %s", async (name, value, check, missing) => {
    const answer = await readyz(envWith({ [name]: value }));

    expect(answer).toMatchObject({
      status: 503,
      json: { status: "not_ready", checks: { ...OK, [check]: "failed" } },
    });
    expect(answer.missing).toContain(missing);
    expect(
      answer.json.missing.every(({ fix, docs }) => fix && docs.startsWith("/docs/deploy#")),
    ).toBe(true);
  });

  test("shows no value of a secret", async () => {
    const secrets = {
      OPERATOR_KEY: "tiny-operator",
      KEY_PEPPER: "tiny-pepper",
      MASTER_KEY: "tiny-m",
    };
    const { json } = await readyz(envWith(secrets));

    expect(json.missing.map(({ name }) => name)).toEqual(Object.keys(secrets));
    expect(JSON.stringify(json)).not.toContain("tiny");
  });

  test("names every migration that a new database lacks, and the command", async () => {
    const DB = databaseThat(() => env.DB.prepare("SELECT name FROM temp.d1_migrations"));
    const { status, json } = await readyz(envWith({ DB }));

    expect({ status, checks: json.checks }).toEqual({
      status: 503,
      checks: { ...OK, database: "failed" },
    });
    expect(json.missing).toEqual(
      EVERY_MIGRATION.map((name) => ({
        name,
        problem: "is a migration not applied",
        fix: MIGRATE,
        docs: "/docs/deploy#migrations",
      })),
    );
  });

  test("names the migrations that were not applied to a database of an older version", async () => {
    const DB = databaseThat(() => env.DB.prepare("SELECT 'older.sql' AS name"));

    expect((await readyz(envWith({ DB }))).missing).toEqual(
      EVERY_MIGRATION.map((name) => `${name} is a migration not applied`),
    );
  });

  test("says that D1 does not answer when it is down", async () => {
    const { status, missing } = await readyz(envWith({ DB: brokenDatabase() }));

    expect({ status, missing }).toEqual({ status: 503, missing: ["DB does not answer"] });
  });

  test("waits for D1 and for an object no longer than its bound", async () => {
    const never = { all: () => new Promise(() => {}) };
    const TENANT = { getByName: () => ({ readUse: () => new Promise(() => {}) }) };
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = readyz(envWith({ DB: databaseThat(() => never), TENANT }));
    await vi.advanceTimersByTimeAsync(READINESS_TIMEOUT_MS);

    const { status, missing } = await answer;
    expect({ status, missing }).toEqual({
      status: 503,
      missing: ["DB does not answer", "TENANT does not answer"],
    });
  });

  test("a hundred requests at once, and the next ones for some seconds, cost one query", async () => {
    let queries = 0;
    const DB = databaseThat((sql) => {
      queries += 1;
      return env.DB.prepare(sql);
    });
    const bindings = envWith({ DB });
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"] });
    await Promise.all(Array.from({ length: 100 }, () => readyz(bindings)));
    await readyz(bindings);
    const during = queries;
    vi.setSystemTime(Date.now() + READINESS_CACHE_MS);
    await readyz(bindings);

    expect([during, queries]).toEqual([1, 2]);
  });
});

describe("another route of a deployment that is not configured", () => {
  test.each([
    ["KEY_PEPPER", "GET", "/v1/agents"],
    ["OPERATOR_KEY", "GET", "/v1/tenants"],
    ["DB", "GET", "/v1/tenants"],
  ])("names %s in a 503, and the way to find out more", async (name, method, path) => {
    const { call } = await makeTenant();
    const key = path === "/v1/tenants" ? OPERATOR.key : call.key;
    const bindings = envWith({ [name]: undefined });
    const { status, json } = await ask(method, path, { key, bindings });

    const problem = name === "DB" ? "is not bound" : "is not set";
    expect({ status, code: json.code, detail: json.detail }).toEqual({
      status: 503,
      code: "unavailable",
      detail: `this deployment is not configured: ${name} ${problem}; see /readyz`,
    });
  });

  test("says that migrations are missing when D1 has no tables", async () => {
    const DB = databaseThat((sql) => env.DB.prepare(sql.replace(/ from "?(?=\w)/i, "$&no_")));
    const { status, json } = await ask("GET", "/v1/tenants", {
      ...OPERATOR,
      bindings: envWith({ DB }),
    });

    expect({ status, code: json.code, detail: json.detail }).toEqual({
      status: 503,
      code: "unavailable",
      detail: "the database lacks migrations of this version; see /readyz",
    });
  });

  test("/healthz and the documents need no configuration", async () => {
    const bindings = { ENVIRONMENT: "production" } as Env;
    const paths = ["/healthz", "/openapi.json", "/llms.txt", "/docs"];
    const statuses = await Promise.all(
      paths.map(async (path) => (await ask("GET", path, { bindings })).status),
    );

    expect(statuses).toEqual([200, 200, 200, 200]);
  });
});

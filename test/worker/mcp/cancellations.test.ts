// Costs of MCP cancellations that name no call of theirs, in steps of D1 and in rows, and the counting of messages.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import {
  MAX_EARLY_CANCELLATIONS,
  MCP_EARLY_CANCELLATION_MS,
} from "../../../protocol/agent-mcp/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, makeAgent, makeTenant } from "../support/api.ts";
import { countingDatabase } from "../support/counting-database.ts";
import { changeTenant } from "../support/tenant-use.ts";

const NOTHING = { batches: 0, statements: 0 };

async function openDesk() {
  const { id: tenantId, call } = await makeTenant();
  const agent = await makeAgent(call, {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
  });
  const path = `/v1/agents/${agent.id}/mcp`;
  const { database, take } = countingDatabase();

  function post<Body = object>(
    json: unknown,
    connection?: string | null,
    bindings: Partial<Env> = {},
  ) {
    return ask<Body>("POST", path, {
      ...call,
      json,
      headers: {
        Accept: "application/json",
        "MCP-Protocol-Version": "2025-03-26",
        ...(typeof connection === "string" && { "Mcp-Session-Id": connection }),
      },
      bindings: { ...env, DB: database, ...bindings },
    });
  }

  async function connect(): Promise<string> {
    const params = { protocolVersion: "2025-03-26" };
    const { headers } = await post({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    return headers.get("Mcp-Session-Id")!;
  }

  async function rows() {
    const { results } = await env.DB.prepare(
      "SELECT key, fingerprint, answer, expires_at FROM idempotency_keys WHERE tenant_id = ? AND path = ?",
    )
      .bind(tenantId, path)
      .all<{ key: string; fingerprint: string; answer: string; expires_at: number }>();
    return results;
  }

  // The key is known from here on.
  await connect();
  take();
  return { tenantId, call, path, post, connect, rows, take };
}

function cancelled(requestId: number | string) {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
}

function batchFrom(first: number): readonly object[] {
  return Array.from({ length: 20 }, (_, index) => cancelled(first + index));
}

function called(id: number, text = "/say Hello.") {
  const params = { name: "ask_desk", arguments: { message: text } };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

interface Called {
  readonly result: { readonly structuredContent: { readonly status: string } };
}

describe("cancellations under a connection that was not given to their sender", () => {
  test.each([
    ["none", () => null],
    ["made up", () => crypto.randomUUID()],
    ["with a MAC that is made up", () => `${crypto.randomUUID()}.${"0".repeat(64)}`],
    ["another agent's", async () => (await openDesk()).connect()],
    [
      "with another id under its MAC",
      async (connect: () => Promise<string>) =>
        `${crypto.randomUUID()}.${(await connect()).split(".")[1]}`,
    ],
  ] as const)("touch no D1: %s", async (_title, make) => {
    const { post, connect, rows, take } = await openDesk();
    const connection = await make(connect);
    take();
    const statuses = [
      (await post(cancelled(1), connection)).status,
      (await post(batchFrom(1), connection)).status,
    ];

    expect([statuses, take(), await rows()]).toEqual([[202, 202], NOTHING, []]);
  });

  test("a call is served under such an id, as it was, and leaves no row", async () => {
    const { post, rows } = await openDesk();
    const { json } = await post<Called>(called(1), crypto.randomUUID());

    expect(json.result.structuredContent.status).toBe("completed");
    expect(await rows()).toEqual([]);
  });
});

describe("cancellations under a connection that was given to their sender", () => {
  test("cost one batch a request, and one row a connection, with the newest ids for a minute", async () => {
    const { post, connect, rows, take } = await openDesk();
    const connection = await connect();
    take();
    const steps = [];
    for (const first of [1, 11, 101]) {
      await post(batchFrom(first), connection);
      steps.push(take().batches);
    }
    await post(cancelled("last"), connection);
    const left = await rows();

    expect(steps).toEqual([1, 1, 1]);
    expect(left).toHaveLength(1);
    const ids = JSON.parse(left[0]!.answer) as string[];
    expect(ids).toHaveLength(MAX_EARLY_CANCELLATIONS);
    expect(ids.toSorted()).toEqual(
      ['"last"', ...Array.from({ length: 19 }, (_, index) => String(101 + index))].toSorted(),
    );
    const leftMs = left[0]!.expires_at - Date.now();
    expect(leftMs).toBeLessThanOrEqual(MCP_EARLY_CANCELLATION_MS);
  });

  test("end the call that comes behind them, and no other one", async () => {
    const { post, connect } = await openDesk();
    const connection = await connect();
    const [first, other] = [await connect(), await connect()];
    await post(batchFrom(1), connection);
    const long = "/rate 100\n/words 150";
    const results = await Promise.all([
      post<Called>(called(7, long), connection),
      post<Called>(called(99), connection),
      post<Called>(called(7), first),
      post<Called>(called(7), other),
    ]);

    expect(results.map(({ json }) => json.result.structuredContent.status)).toEqual([
      "interrupted",
      "completed",
      "completed",
      "completed",
    ]);
  });

  test("of calls that are known keep no id", async () => {
    const { post, connect, rows } = await openDesk();
    const connection = await connect();
    await post<Called>(called(1), connection);
    await post(cancelled(1), connection);

    expect((await rows()).map(({ fingerprint }) => fingerprint)).toEqual(["mcp-call"]);
  });

  test("end the call also where the tenant has no room in D1, and another id is unknown", async () => {
    const { tenantId, post, connect, rows } = await openDesk();
    const connection = await connect();
    const running = post<Called>(called(7, "/rate 20\n/words 400"), connection);
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    await changeTenant(tenantId, { quotas: { database_bytes: 1 } });
    const { status } = await post([cancelled(99), cancelled(7)], connection);

    expect(status).toBe(202);
    expect((await running).json.result.structuredContent.status).toBe("interrupted");
  });

  test("end no call any more when their minute is over", async () => {
    const { post, connect } = await openDesk();
    const connection = await connect();
    await post(batchFrom(1), connection);
    await env.DB.prepare("UPDATE idempotency_keys SET expires_at = 1 WHERE fingerprint = ?")
      .bind("mcp-cancelled")
      .run();
    const { json } = await post<Called>(called(7), connection);

    expect(json.result.structuredContent.status).toBe("completed");
  });

  test("are known also while the pepper is replaced", async () => {
    const { post, connect, take } = await openDesk();
    const connection = await connect();
    const rotated = { KEY_PEPPER: "p".repeat(64), KEY_PEPPER_PREVIOUS: env.KEY_PEPPER };
    await post(cancelled(1), connection, rotated);
    take();
    await post(cancelled(2), connection, rotated);

    expect(take().batches).toBe(1);
  });
});

describe("the messages of a batch", () => {
  /** A brake that knows no window. */
  function brake(requests: number) {
    let count = 0;
    return {
      limit: () => Promise.resolve({ success: (count += 1) <= requests }),
      counted: () => count,
    };
  }

  test("count as requests, one each", async () => {
    const { post } = await openDesk();
    const limit = brake(100);
    await post(batchFrom(1), null, { TENANT_LIMIT: limit });
    await post(cancelled(1), null, { TENANT_LIMIT: limit });

    expect(limit.counted()).toBe(21);
  });

  test("are refused together, before any of them is served", async () => {
    const { post, connect, rows, take } = await openDesk();
    const connection = await connect();
    take();
    const limit = { TENANT_LIMIT: brake(10) };
    const { status, json } = await post<{ code: string }>(batchFrom(1), connection, limit);

    expect([status, json.code, take(), await rows()]).toEqual([429, "rate_limited", NOTHING, []]);
  });
});

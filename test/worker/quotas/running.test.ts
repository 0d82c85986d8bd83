// Quotas of a tenant's replies while they run: places, and tokens of the day.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { TenantObject } from "../../../durable-objects/tenant-object.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { COUNTED_REPLY_MS, TENANT_PURGED_ROWS } from "../../../protocol/quotas/limits.ts";
import { BROAD } from "../../support/breadth.ts";
import { ask, makeSession, openSession, type Call } from "../support/api.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { changeTenant, HANG, hangingTool, readLimits } from "../support/tenant-use.ts";

type Started = Reply & { readonly code?: string; readonly quota?: string };

function start(call: Call, sessionId: string, input: string, more: object = {}) {
  const json = { input, background: true, ...more };
  return ask<Started>("POST", `/v1/sessions/${sessionId}/replies`, { ...call, json });
}

async function replyOf(call: Call, sessionId: string, replyId: string): Promise<Reply> {
  return (await ask<Reply>("GET", `/v1/sessions/${sessionId}/replies/${replyId}`, call)).json;
}

async function sessionsOf(count: number, definition?: object) {
  const { tenantId, call, agent, session } = await openSession(definition);
  const ids = [session.id];
  while (ids.length < count) ids.push((await makeSession(call, { agent_id: agent.id })).id);
  return { tenantId, call, ids };
}

describe("running_replies", () => {
  test("one more is refused with 429 and Retry-After, and begins when another has ended", async () => {
    const { tool } = hangingTool();
    const { tenantId, call, ids } = await sessionsOf(3, { name: "Desk", tools: [tool] });
    const [first = "", second = "", third = ""] = ids;
    await changeTenant(tenantId, { quotas: { running_replies: 2 } });
    const started = [await start(call, first, HANG), await start(call, second, HANG)];
    const used = (await readLimits(call)).used.running_replies;

    const refused = await start(call, third, "/say hello");
    await ask("POST", `/v1/sessions/${first}/interrupt`, { ...call, json: {} });
    await expect.poll(async () => (await readLimits(call)).used.running_replies).toBe(1);
    const again = await start(call, third, "/say hello");

    expect([...started.map(({ status }) => status), used]).toEqual([202, 202, 2]);
    expect([refused.status, refused.json.code, refused.json.quota]).toEqual([
      429,
      "quota_exceeded",
      "running_replies",
    ]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(again.status).toBe(202);
  });

  test(
    "who would take another reply's place and is refused has interrupted nobody",
    BROAD,
    async () => {
      const { tool } = hangingTool();
      const { tenantId, call, ids } = await sessionsOf(1, { name: "Desk", tools: [tool] });
      const [id = ""] = ids;
      const { json: first } = await start(call, id, HANG);
      await changeTenant(tenantId, { quotas: { tokens_per_day: 0 } });

      const refused = await start(call, id, "/say hello", { on_busy: "interrupt" });

      expect([refused.status, (await replyOf(call, id, first.id)).status]).toEqual([
        429,
        "running",
      ]);
    },
  );

  test("a reply that takes another one's place in its session keeps the lease", async () => {
    const { tool } = hangingTool();
    const { tenantId, call, ids } = await sessionsOf(1, { name: "Desk", tools: [tool] });
    const [id = ""] = ids;
    const settle = vi.spyOn(TenantObject.prototype, "settle");
    onTestFinished(() => settle.mockRestore());
    await start(call, id, HANG);

    const { status } = await start(call, id, HANG, { on_busy: "interrupt" });
    // Replies of earlier tests end meanwhile.
    const settled = () => settle.mock.calls.filter(([{ session_id }]) => session_id === id);
    await expect.poll(() => settled().length).toBe(1);

    const { running_replies } = await env.TENANT.getByName(tenantId).readUse();
    expect([status, running_replies]).toEqual([202, 1]);
  });

  test("a lease whose session is lost ends by itself", BROAD, async () => {
    const { tool } = hangingTool();
    const { tenantId, call, ids } = await sessionsOf(2, { name: "Desk", tools: [tool] });
    const [first = "", second = ""] = ids;
    await changeTenant(tenantId, { quotas: { running_replies: 1 } });
    await env.TENANT.getByName(tenantId).lease({ session_id: first, use: "start" });
    const refused = await start(call, second, "/say hello");

    advanceClock(91_000);

    expect([refused.status, (await start(call, second, "/say hello")).status]).toEqual([429, 202]);
  });

  test("another tenant's replies take none of its places", BROAD, async () => {
    const { tool } = hangingTool();
    const one = await sessionsOf(1, { name: "Desk", tools: [tool] });
    const other = await sessionsOf(1, { name: "Desk", tools: [tool] });
    for (const { tenantId } of [one, other]) {
      await changeTenant(tenantId, { quotas: { running_replies: 1 } });
    }

    const started = [];
    for (const { call, ids } of [one, other]) started.push(await start(call, ids[0] ?? "", HANG));

    expect(started.map(({ status }) => status)).toEqual([202, 202]);
  });
});

describe("tokens_per_day", () => {
  test("what replies have used is counted, and when the day's are used up the next is refused", async () => {
    const { tenantId, call, ids } = await sessionsOf(1);
    const [id = ""] = ids;
    await start(call, id, "/say hello");
    await expect.poll(async () => (await readLimits(call)).used.tokens_per_day).toBeGreaterThan(0);
    const { tokens_per_day } = (await readLimits(call)).used;
    await changeTenant(tenantId, { quotas: { tokens_per_day } });

    const refused = await start(call, id, "/say hello");

    expect([refused.status, refused.json.quota]).toEqual([429, "tokens_per_day"]);
  });

  test("is counted once, however often the outbox tells of a reply", async () => {
    const { tenantId, call } = await sessionsOf(1);
    const tenant = env.TENANT.getByName(tenantId);
    const reply = { reply_id: "rep_1", tokens: 500 };
    for (const tokens of [200, 500, 500]) {
      const replies = [{ ...reply, tokens }];
      await tenant.settle({ session_id: "ses_1", replies, is_running: false });
    }

    expect((await readLimits(call)).used.tokens_per_day).toBe(500);
  });

  /** A looping agent whose tenant has fewer tokens than its reply wants. */
  async function spend(on_limit?: "end" | "park") {
    const { tool } = hangingTool();
    const tools = [{ ...tool, name: "missing" }];
    const definition = { name: "Desk", tools, max_iters: 10, ...(on_limit && { on_limit }) };
    const { tenantId, call, ids } = await sessionsOf(1, definition);
    const [id = ""] = ids;
    await changeTenant(tenantId, { quotas: { tokens_per_day: 20 } });
    const turns = Array.from({ length: 6 }, () => "/call nothing {}").join("\n/then\n");
    const { json } = await start(call, id, `${turns}\n/say done`);
    return { tenantId, call, id, replyId: json.id };
  }

  test("a reply in mid-run ends with the error quota_exceeded, and says which quota it was", async () => {
    const { call, id, replyId } = await spend();
    await expect.poll(async () => (await replyOf(call, id, replyId)).status).toBe("error");

    const { message } = await replyOf(call, id, replyId);

    expect(message).toMatchObject({ finished_reason: "error", error: { type: "quota_exceeded" } });
  });

  test(
    "one whose agent says park waits, tells its readers why, and goes on when there is room",
    BROAD,
    async () => {
      const { tenantId, call, id, replyId } = await spend("park");
      const events = async () => (await ask("GET", `/v1/sessions/${id}/events`, call)).text;
      await expect.poll(events).toContain('"quota_exceeded"');
      const waiting = await replyOf(call, id, replyId);

      await changeTenant(tenantId, { quotas: { tokens_per_day: null } });
      advanceClock(31_000);
      await runDurableObjectAlarm(env.SESSION.getByName(sessionObjectName(tenantId, id)));

      expect(waiting.status).toBe("running");
      await expect.poll(async () => (await replyOf(call, id, replyId)).status).toBe("completed");
    },
  );
});

describe("a reply that waits for a quota", () => {
  test(
    "tells its readers once, however often its session is let go of meanwhile",
    BROAD,
    async () => {
      const { tool } = hangingTool();
      const definition = { name: "Desk", tools: [tool], on_limit: "park" };
      const { tenantId, call, ids } = await sessionsOf(1, definition);
      const [id = ""] = ids;
      await changeTenant(tenantId, { quotas: { tokens_per_day: 20 } });
      const turns = Array.from({ length: 6 }, () => "/call nothing {}").join("\n/then\n");
      const { json } = await start(call, id, turns);
      const told = async () => {
        const { text } = await ask("GET", `/v1/sessions/${id}/events`, call);
        return text.split(`"name":"quota_exceeded"`).length - 1;
      };
      await expect.poll(told).toBe(1);
      const lease = vi.spyOn(TenantObject.prototype, "lease");
      onTestFinished(() => lease.mockRestore());

      for (let looks = 1; looks <= 2; looks += 1) {
        await evictDurableObject(env.SESSION.getByName(sessionObjectName(tenantId, id)));
        advanceClock(31_000);
        await ask("GET", `/v1/sessions/${id}`, call);
        const running = () =>
          lease.mock.calls.filter(([asked]) => asked.use === "running" && asked.session_id === id);
        await expect.poll(() => running().length).toBe(looks);
      }
      await evictDurableObject(env.SESSION.getByName(sessionObjectName(tenantId, id)));

      expect([(await replyOf(call, id, json.id)).status, await told()]).toEqual(["running", 1]);
    },
  );
});

describe("stored_bytes", () => {
  test("refuses a start also when the tenant's object has just been woken", async () => {
    const { tenantId, call, ids } = await sessionsOf(1);
    const [id = ""] = ids;
    await changeTenant(tenantId, { quotas: { stored_bytes: 1 } });
    const refused = async () => {
      const { json } = await start(call, id, "/say hello");
      return json.quota;
    };
    await expect.poll(refused).toBe("stored_bytes");

    await evictDurableObject(env.TENANT.getByName(tenantId));

    expect(await refused()).toBe("stored_bytes");
  });
});

describe("what a tenant's object keeps", () => {
  test(
    "is forgotten when it is over, also of more replies and sessions than one part",
    BROAD,
    async () => {
      const { tenantId } = await sessionsOf(1);
      const tenant = env.TENANT.getByName(tenantId);
      const count = 3 * TENANT_PURGED_ROWS;
      const replies = Array.from({ length: count }, (_, n) => ({
        reply_id: `rep_${n}`,
        tokens: 1,
      }));
      await tenant.settle({ session_id: "ses_0", replies, is_running: false });
      for (const { reply_id } of replies) {
        await tenant.lease({ session_id: reply_id.replace("rep", "ses"), use: "reading" });
      }
      const rows = () =>
        runInDurableObject(tenant, (_, { storage }) =>
          ["replies", "leases"].map(
            (table) => storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one()["n"],
          ),
        );
      await expect.poll(rows).toEqual([count, count]);
      advanceClock(COUNTED_REPLY_MS + 1);

      for (let request = 0; request < 4; request += 1) {
        await tenant.lease({ session_id: "ses_0", use: "reading" });
      }

      await expect.poll(rows).toEqual([0, 1]);
    },
  );
});

describe("a tenant's object that hangs", () => {
  test("holds no reply up for long: it begins, and comes to its end", async () => {
    const { call, ids } = await sessionsOf(1);
    const [id = ""] = ids;
    const lease = vi
      .spyOn(TenantObject.prototype, "lease")
      .mockImplementation(() => new Promise<never>(() => {}));
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => {
      lease.mockRestore();
      warn.mockRestore();
    });

    const { status, json } = await start(call, id, "/call nothing {}\n/then\n/say done");

    expect(status).toBe(202);
    await expect.poll(async () => (await replyOf(call, id, json.id)).status).toBe("completed");
  });
});

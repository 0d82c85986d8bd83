// Reports of sessions to D1: once, at park and end, and through D1 being away.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, openSession } from "../support/api.ts";
import { confirmation, externalResult, KEY, LABEL, withTools } from "../confirmations/parked.ts";

type Opened = Awaited<ReturnType<typeof openSession>>;

function objectOf({ tenantId, session }: Opened) {
  return env.SESSION.getByName(sessionObjectName(tenantId, session.id));
}

async function reply({ path, call }: Opened, input: string): Promise<Reply> {
  return (await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } })).json;
}

function waiting(opened: Opened): Promise<number> {
  return runInDurableObject(
    objectOf(opened),
    (_, state) => state.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM outbox").one().n,
  );
}

async function rows(table: string, { session }: Opened): Promise<Record<string, unknown>[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE session_id = ?`)
    .bind(session.id)
    .all();
  return results;
}

const REFUND = { type: "http", name: "refund", url: "https://tools.example/refund" };

describe("the outbox", () => {
  it("tells D1 of a reply that ended: the session's state and its usage", async () => {
    const opened = await openSession();
    const ended = await reply(opened, "/say hello");
    await expect.poll(() => waiting(opened)).toBe(0);

    expect(await rows("session_states", opened)).toMatchObject([
      { status: "idle", entry: ended.cursor, agent_version: 1 },
    ]);
    expect(await rows("usage", opened)).toMatchObject([
      { reply_id: ended.id, output_tokens: ended.usage?.output_tokens },
    ]);
  });

  it("tells D1 of a reply that waits, and then of its end", async () => {
    const opened = await openSession({ name: "Desk", tools: [REFUND] });
    await reply(opened, "/call refund {}\n/say done");
    await expect.poll(() => waiting(opened)).toBe(0);
    expect(await rows("session_states", opened)).toMatchObject([{ status: "awaiting_permission" }]);
    expect(await rows("pending_calls", opened)).toHaveLength(1);

    await ask("POST", `${opened.path}/interrupt`, opened.call);
    await expect.poll(() => waiting(opened)).toBe(0);
    expect(await rows("session_states", opened)).toMatchObject([{ status: "idle" }]);
    expect(await rows("pending_calls", opened)).toEqual([]);
  });

  it("tells D1 that a reply which was answered runs again, and waits no more", async () => {
    const slow = Promise.withResolvers<void>();
    await withTools(
      async (calls) => {
        const opened = await openSession({ name: "Desk", tools: [REFUND] });
        const parked = await reply(opened, "/call refund {}\n/say done");
        const [call] = parked.pending;
        if (!call) throw new Error("nothing waits");
        await objectOf(opened).act("postEvent", confirmation(parked.id, call) as never, {
          actor: KEY,
        });
        await expect.poll(() => calls.length).toBe(1);
        await expect.poll(() => waiting(opened)).toBe(0);
        expect(await rows("session_states", opened)).toMatchObject([{ status: "running" }]);
        expect(await rows("pending_calls", opened)).toEqual([]);

        slow.resolve();
        await expect.poll(() => rows("session_states", opened)).toMatchObject([{ status: "idle" }]);
      },
      async () => {
        await slow.promise;
        return new Response("made");
      },
    );
  });

  it("tells D1 that a reply waits on when an answer has let nothing run", async () => {
    const tools = [{ ...LABEL, concurrency_safe: true }];
    const opened = await openSession({ name: "Desk", tools });
    const parked = await reply(opened, '/call label {"n":1}\n/call label {"n":2}\n/say done');
    for (const [answered, call] of parked.pending.entries()) {
      await expect.poll(() => waiting(opened)).toBe(0);
      expect(await rows("session_states", opened)).toMatchObject([
        { status: "awaiting_external_result" },
      ]);
      expect(await rows("pending_calls", opened)).toHaveLength(2 - answered);
      await objectOf(opened).act("postEvent", externalResult(parked.id, call, "L") as never, {
        actor: KEY,
      });
    }
    await expect.poll(() => rows("session_states", opened)).toMatchObject([{ status: "idle" }]);
    expect(await rows("pending_calls", opened)).toEqual([]);
  });

  it("keeps what D1 did not take, lets replies go on meanwhile, and delivers each once when it is back", async () => {
    const log = hearLog();
    const opened = await openSession();
    await env.DB.exec("ALTER TABLE usage RENAME TO usage_away");
    const first = await reply(opened, "/say one");
    const second = await reply(opened, "/say two");
    expect([first.status, second.status]).toEqual(["completed", "completed"]);
    expect(await rows("session_states", opened)).toEqual([]);
    expect(await waiting(opened)).toBe(2);
    await waitFor(() =>
      expect(new Set(log)).toEqual(new Set(["the outbox could not be delivered"])),
    );

    await env.DB.exec("ALTER TABLE usage_away RENAME TO usage");
    await runInDurableObject(objectOf(opened), (_, state) => {
      state.storage.sql.exec("UPDATE timers SET due_at = 0");
    });
    await runDurableObjectAlarm(objectOf(opened));
    await expect.poll(() => waiting(opened)).toBe(0);
    expect((await rows("usage", opened)).map(({ reply_id }) => reply_id)).toEqual([
      first.id,
      second.id,
    ]);
    expect(
      await runInDurableObject(objectOf(opened), (_, state) => state.storage.getAlarm()),
    ).toBeNull();
  });
});

describe("a session that follows its agent's newest version", () => {
  it("takes it with the next reply, and one that is pinned does not", async () => {
    const opened = await openSession({ name: "Before" });
    const { call, agent, path } = opened;
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name: "After" } });
    expect((await reply(opened, "/say hi")).message?.name).toBe("Before");

    await ask("PATCH", path, { ...call, json: { agent_version: "latest" } });
    expect((await reply(opened, "/say hi")).message?.name).toBe("After");
    await ask("PATCH", path, { ...call, json: { agent_version: 1 } });
    expect((await reply(opened, "/say hi")).message?.name).toBe("Before");
  });
});

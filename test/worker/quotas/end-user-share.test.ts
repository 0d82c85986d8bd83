// The share of one end user in what the tenant has: with client tokens, and as D1 and the tenant's object count it. With
// JWTs: test/conformance/agent-mcp/agent-mcp-shares.test.ts.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { VerbSchema } from "../../../protocol/client-tokens/contract.ts";
import type { StoredFile } from "../../../protocol/files/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { DEFAULT_END_USER_SHARE } from "../../../protocol/quotas/end-user-share.ts";
import type { TenantLimits } from "../../../protocol/quotas/contract.ts";
import { ask, makeAgent, makeSession, makeTenant, OPERATOR, type Call } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { LABEL, LABEL_TOOL } from "../support/parked-session.ts";
import { changeTenant, HANG, hangingTool, readLimits } from "../support/tenant-use.ts";

type Started = Reply & {
  readonly code?: string;
  readonly quota?: string;
  readonly limit?: number;
  readonly detail?: string;
};

interface Conversation {
  readonly id: string;
  readonly path: string;
  /** A client token with every verb. */
  readonly token: Call;
}

/** A tenant, and a way to open sessions of end users; null is nobody. */
async function openDesk(definition: object = { name: "Desk", plan: {} }) {
  const { id: tenantId, call } = await makeTenant();
  const agent = await makeAgent(call, definition);
  const open = async (end_user_id: string | null): Promise<Conversation> => {
    const of = end_user_id === null ? {} : { end_user_id };
    const { id } = await makeSession(call, { agent_id: agent.id, ...of });
    const path = `/v1/sessions/${id}`;
    return { id, path, token: await mintCall(path, call, { verbs: VerbSchema.options }) };
  };
  const share = (end_user_share: object | null) =>
    changeTenant(tenantId, { quotas: { end_user_share } });
  return { tenantId, call, agent, open, share };
}

function start(call: Call, { path }: Pick<Conversation, "path">, input: string, more: object = {}) {
  const json = { input, background: true, ...more };
  return ask<Started>("POST", `${path}/replies`, { ...call, json });
}

function upload(call: Call, { id }: Conversation, bytes: number) {
  const headers = { "Content-Type": "text/plain" };
  const body = "x".repeat(bytes);
  const path = `/v1/files?session_id=${id}`;
  return ask<StoredFile & Started>("POST", path, { ...call, body, headers });
}

async function endUserOf(call: Call, id: string) {
  return (await ask<TenantLimits>("GET", `/v1/limits?end_user_id=${id}`, call)).json.end_user;
}

async function countsOf(tenantId: string) {
  const { results } = await env.DB.prepare(
    "SELECT holder, sessions, stored_bytes FROM end_user_counts WHERE tenant_id = ? ORDER BY holder",
  )
    .bind(tenantId)
    .all();
  return results;
}

/** The sums of the rows themselves, added up one by one. */
async function addUp(tenantId: string) {
  const { results } = await env.DB.prepare(
    `SELECT holder, sum(sessions) AS sessions, sum(bytes) AS stored_bytes FROM (
       SELECT CASE WHEN end_user_id IS NULL THEN 's:' || id ELSE 'u:' || end_user_id END AS holder,
         1 AS sessions, coalesce((SELECT bytes FROM session_states WHERE session_id = s.id), 0) AS bytes
       FROM sessions s WHERE tenant_id = ?1
       UNION ALL SELECT holder, 0, max(bytes, 4096) FROM files WHERE tenant_id = ?1 AND holder IS NOT NULL
     ) GROUP BY holder ORDER BY holder`,
  )
    .bind(tenantId)
    .all();
  return results;
}

describe("the share of one end user", () => {
  test("is the default until the operator sets another one; a member that is null has no limit", async () => {
    const { tenantId, call, share } = await openDesk();
    const seen = async () => (await readLimits(call)).quotas.end_user_share;
    const first = await seen();
    await share({ sessions: null, running_replies: 3 });
    const second = await seen();
    await share({ stored_bytes_percent: 50 });
    const third = await seen();
    await changeTenant(tenantId, { quotas: { agents: 7 } });
    const fourth = await seen();
    await share(null);

    expect(first).toEqual(DEFAULT_END_USER_SHARE);
    expect(second).toEqual({ ...DEFAULT_END_USER_SHARE, sessions: null, running_replies: 3 });
    expect(third).toEqual({ ...second, stored_bytes_percent: 50 });
    expect(fourth).toEqual(third);
    expect(await seen()).toEqual(DEFAULT_END_USER_SHARE);
  });

  test("may be set when the tenant is made, and is refused with a pointer where it makes no sense", async () => {
    const make = (end_user_share: object) =>
      ask<TenantLimits>("POST", "/v1/tenants", {
        ...OPERATOR,
        json: { name: "Shop", quotas: { end_user_share } },
      });

    const made = await make({ sessions: 3 });
    const refused = await make({ stored_bytes_percent: 101 });

    expect(made.json.quotas.end_user_share).toEqual({ ...DEFAULT_END_USER_SHARE, sessions: 3 });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("#/quotas/end_user_share/stored_bytes_percent"),
    ]);
  });

  test("is shown for an end user with what they have of it", BROAD, async () => {
    const { call, open, share } = await openDesk();
    const ada = await open("ada");
    await open("ada");
    await upload(ada.token, ada, 10_000);
    await share({ running_replies: null });

    expect(await endUserOf(call, "ada")).toEqual({
      end_user_id: "ada",
      limits: { sessions: 1_000, running_replies: null, stored_bytes: 500_000_000 },
      used: { sessions: 2, running_replies: 0, stored_bytes: 10_000 },
    });
    expect((await endUserOf(call, "bob"))?.used).toEqual({
      sessions: 0,
      running_replies: 0,
      stored_bytes: 0,
    });
  });
});

describe("running replies of one end user", () => {
  test("one more is refused to their token and to nobody else, until one has ended", async () => {
    const { tool } = hangingTool();
    const { call, open, share } = await openDesk({ name: "Desk", tools: [tool] });
    await share({ running_replies: 2 });
    const [one, two, three] = [await open("ada"), await open("ada"), await open("ada")];
    const [bob, nobody] = [await open("bob"), await open(null)];
    // Replies that the back end starts for them count, too.
    const begun = [await start(one.token, one, HANG), await start(call, two, HANG)];

    const refused = await start(three.token, three, HANG);
    const others = [
      await start(bob.token, bob, HANG),
      await start(nobody.token, nobody, HANG),
      await start(call, three, HANG),
    ];
    const used = (await endUserOf(call, "ada"))?.used.running_replies;
    for (const { path } of [two, three]) {
      await ask("POST", `${path}/interrupt`, { ...call, json: {} });
    }
    await expect.poll(async () => (await endUserOf(call, "ada"))?.used.running_replies).toBe(1);
    const again = await start(three.token, three, HANG);

    expect([...begun, ...others, again].map(({ status }) => status)).toEqual(
      Array.from({ length: 6 }, () => 202),
    );
    expect([refused.status, refused.json]).toEqual([
      429,
      expect.objectContaining({
        code: "quota_exceeded",
        quota: "end_user_running_replies",
        limit: 2,
        detail: expect.stringMatching(/wait until one of their replies has ended.*ask the tenant/),
      }),
    ]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(used).toBe(3);
  });

  test("a run of AG-UI is refused as well", BROAD, async () => {
    const { tool } = hangingTool();
    const { agent, open, share } = await openDesk({ name: "Desk", tools: [tool] });
    await share({ running_replies: 1 });
    const [one, two] = [await open("ada"), await open("ada")];
    await start(one.token, one, HANG);

    const run = await ask<Started>("POST", `/v1/agents/${agent.id}/ag-ui`, {
      ...two.token,
      json: {
        threadId: two.id,
        runId: "run-1",
        state: {},
        messages: [{ id: "m1", role: "user", content: "/say hello" }],
        tools: [],
        context: [],
        forwardedProps: {},
      },
    });

    expect([run.status, run.json.quota]).toEqual([429, "end_user_running_replies"]);
  });

  test("a reply that was queued behind one that waits ends by its name when there is no room", async () => {
    const { tool } = hangingTool();
    const { call, open, share } = await openDesk({ name: "Desk", tools: [tool, LABEL_TOOL] });
    await share({ running_replies: 1 });
    const [one, two] = [await open("ada"), await open("ada")];
    // The reply waits for a result from outside, and holds no lease.
    await start(one.token, one, LABEL);
    const queued = await start(one.token, one, "/say hello", { on_busy: "queue" });
    await expect.poll(async () => (await endUserOf(call, "ada"))?.used.running_replies).toBe(0);
    await start(two.token, two, HANG);

    await ask("POST", `${one.path}/interrupt`, { ...call, json: {} });

    const read = async () =>
      (await ask<Reply>("GET", `${one.path}/replies/${queued.json.id}`, call)).json;
    expect(queued.status).toBe(202);
    await expect.poll(async () => (await read()).status).toBe("error");
    expect((await read()).message?.error?.type).toBe("quota_exceeded");
    const { text } = await ask("GET", `${one.path}/events`, call);
    expect(text).toContain(`"quota":"end_user_running_replies"`);
  });

  test("are counted by an object that was put away meanwhile", BROAD, async () => {
    const { tool } = hangingTool();
    const { tenantId, open, share } = await openDesk({ name: "Desk", tools: [tool] });
    await share({ running_replies: 1 });
    const [one, two] = [await open("ada"), await open("ada")];
    await start(one.token, one, HANG);

    await evictDurableObject(env.TENANT.getByName(tenantId));

    expect((await start(two.token, two, HANG)).json.quota).toBe("end_user_running_replies");
  });

  test("are counted again once they renew, by an object whose leases knew no end user", async () => {
    const { id } = await makeTenant();
    const tenant = env.TENANT.getByName(id);
    await tenant.admission();
    await runInDurableObject(tenant, (_, { storage }) => {
      storage.sql.exec("ALTER TABLE leases DROP COLUMN holder");
      storage.sql.exec(
        "INSERT INTO leases (session_id, running_until) VALUES ('ses_1', ?)",
        Date.now() + 90_000,
      );
    });
    await evictDurableObject(tenant);
    const again = env.TENANT.getByName(id);
    const before = await again.readUse("u:ada");
    const reply = { reply_id: "rep_1", tokens: 0 };
    await again.lease({ session_id: "ses_1", use: "running", reply, holder: "u:ada" });

    expect([before.running_replies, before.held_replies]).toEqual([1, 0]);
    expect((await again.readUse("u:ada")).held_replies).toBe(1);
  });
});

describe("stored bytes of one end user", () => {
  test("a file is refused to their token by name, and not to an API key", async () => {
    const { tenantId, open, call, share } = await openDesk();
    await changeTenant(tenantId, { quotas: { stored_bytes: 1_000_000 } });
    await share({ stored_bytes_percent: 10 });
    const [one, two, bob] = [await open("ada"), await open("ada"), await open("bob")];

    const stored = await upload(one.token, one, 90_000);
    const refused = await upload(two.token, two, 20_000);
    const others = [await upload(bob.token, bob, 20_000), await upload(call, two, 20_000)];

    expect([stored, ...others].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect([refused.status, refused.json.code, refused.json.quota]).toEqual([
      429,
      "quota_exceeded",
      "end_user_stored_bytes",
    ]);
    expect(refused.json.detail).toMatch(/delete sessions of this end user, or ask the tenant/);
    expect((await endUserOf(call, "ada"))?.used.stored_bytes).toBe(110_000);
  });

  test("a file whose length nobody has said is refused when its bytes are there", async () => {
    const { tenantId, open, call, share } = await openDesk();
    await changeTenant(tenantId, { quotas: { stored_bytes: 1_000_000 } });
    await share({ stored_bytes_percent: 10 });
    const ada = await open("ada");
    const stream = new Blob(["x".repeat(150_000)]).stream();

    const refused = await ask<Started>("POST", `/v1/files?session_id=${ada.id}`, {
      ...ada.token,
      body: stream,
      headers: { "Content-Type": "text/plain" },
    });

    expect([refused.status, refused.json.quota]).toEqual([429, "end_user_stored_bytes"]);
    const { json } = await ask<{ data: object[] }>("GET", "/v1/files", call);
    expect(json.data).toEqual([]);
  });

  test("a plan and a shared state are refused to the token of a session without an end user", async () => {
    const { tenantId, open, call, share } = await openDesk();
    await changeTenant(tenantId, { quotas: { stored_bytes: 1_000_000 } });
    await share({ stored_bytes_percent: 10 });
    const nobody = await open(null);
    await upload(call, nobody, 99_000);
    const patch = (who: Call) =>
      ask<Started>("PATCH", `${nobody.path}/shared-state`, {
        ...who,
        json: [{ op: "add", path: "/note", value: "x".repeat(20_000) }],
      });
    const put = (who: Call) => {
      const description = "x".repeat(2_000);
      const subtask = { name: "Look", description, expected_outcome: "" };
      const plan = { name: "Plan", description: "", expected_outcome: "", subtasks: [subtask] };
      return ask<Started>("PUT", `${nobody.path}/plan`, { ...who, json: { plan } });
    };

    const refused = [await patch(nobody.token), await put(nobody.token)];
    const stored = [await patch(call), await put(call)];

    expect(refused.map(({ status, json }) => [status, json.quota])).toEqual([
      [429, "end_user_stored_bytes"],
      [429, "end_user_stored_bytes"],
    ]);
    expect(stored.map(({ status }) => status)).toEqual([200, 200]);
  });

  test(
    "no reply begins for their token once it is known, until something was deleted",
    BROAD,
    async () => {
      const { tenantId, open, call, share } = await openDesk();
      await changeTenant(tenantId, { quotas: { stored_bytes: 1_000_000 } });
      await share({ stored_bytes_percent: 10 });
      const [one, two] = [await open("ada"), await open("ada")];
      await upload(call, one, 99_000);
      await upload(call, one, 99_000);
      const begins = async () => (await start(two.token, two, "/say hello")).json.quota;

      await expect.poll(begins).toBe("end_user_stored_bytes");
      expect((await start(call, two, "/say hello", { on_busy: "queue" })).status).toBe(202);
      await ask("DELETE", one.path, call);
      await expect.poll(begins).not.toBe("end_user_stored_bytes");
    },
  );
});

describe("what is counted for an end user", () => {
  test("is what the rows say, whatever was made, stored and deleted", async () => {
    const { tenantId, open, call } = await openDesk();
    const [one, two, nobody] = [await open("ada"), await open("ada"), await open(null)];
    for (const { path } of [one, two, nobody]) {
      await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } });
    }
    await upload(one.token, one, 10_000);
    await upload(nobody.token, nobody, 100);
    const isExact = async () =>
      JSON.stringify(await countsOf(tenantId)) === JSON.stringify(await addUp(tenantId));
    await expect
      .poll(async () => (await countsOf(tenantId)).every(({ stored_bytes }) => stored_bytes !== 0))
      .toBe(true);
    await expect.poll(isExact).toBe(true);
    const before = await countsOf(tenantId);

    await ask("DELETE", one.path, call);
    await ask("DELETE", nobody.path, call);

    expect(before.map(({ holder, sessions }) => [holder, sessions])).toEqual([
      [`s:${nobody.id}`, 1],
      ["u:ada", 2],
    ]);
    await expect.poll(isExact).toBe(true);
    expect((await countsOf(tenantId)).map(({ sessions }) => sessions).at(-1)).toBe(1);
  });

  test("is counted by the migration where it was there before", BROAD, async () => {
    const { tenantId, open, call } = await openDesk();
    const ada = await open("ada");
    await open(null);
    await upload(ada.token, ada, 10_000);
    await ask("POST", `${ada.path}/replies`, { ...call, json: { input: "/say hello" } });
    await expect
      .poll(async () => (await endUserOf(call, "ada"))?.used.stored_bytes)
      .toBeGreaterThan(10_000);
    const expected = await countsOf(tenantId);
    await env.DB.prepare("DELETE FROM end_user_counts").run();
    await env.DB.prepare("UPDATE files SET holder = NULL").run();
    const queries = env.TEST_MIGRATIONS.flatMap((migration) => migration.queries).filter((query) =>
      /(?:^|\n)(?:UPDATE `files` SET `holder`|INSERT INTO `end_user_counts`)/.test(query),
    );

    await env.DB.batch(queries.map((query) => env.DB.prepare(query)));

    expect(queries.length).toBe(2);
    expect(await countsOf(tenantId)).toEqual(expected);
  });
});

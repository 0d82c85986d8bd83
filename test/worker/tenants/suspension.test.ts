// The stop button: a tenant that the operator suspends does nothing until it is resumed, and loses nothing.
import { env } from "cloudflare:workers";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { TenantObject } from "../../../durable-objects/tenant-object.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { accept } from "../../../protocol/errors.ts";
import { knownTenants } from "../../../worker/auth/known-tenants.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, openSession, send, type Call } from "../support/api.ts";
import { brokenDatabase } from "../support/broken-database.ts";
import { mintCall } from "../support/client-token.ts";
import { changeTenant, HANG, hangingTool, readLimits } from "../support/tenant-use.ts";

const SUSPENDED = { status: "suspended" };
const ACTIVE = { status: "active" };

async function replyOf(call: Call, path: string, id: string): Promise<Reply> {
  return (await ask<Reply>("GET", `${path}/replies/${id}`, call)).json;
}

describe("a suspended tenant", () => {
  test("is refused with every credential, and served again when it is resumed", async () => {
    const { tenantId, call, path } = await openSession();
    const token = await mintCall(path, call);
    const asked = () =>
      Promise.all([
        ask("GET", path, call),
        ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } }),
        ask("GET", `${path}/messages`, token),
      ]);
    await asked();

    await changeTenant(tenantId, SUSPENDED);
    const suspended = await asked();
    const key = await ask("GET", "/v1/limits", call);
    await changeTenant(tenantId, ACTIVE);
    const resumed = await asked();

    expect([...suspended, key].map(({ status, json }) => [status, json.code])).toEqual(
      Array.from({ length: 4 }, () => [403, "tenant_suspended"]),
    );
    expect(resumed.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("its running reply is interrupted and its streams end, with no request of anybody", async () => {
    const { tool, calls } = hangingTool();
    const { tenantId, call, path } = await openSession({ name: "Desk", tools: [tool] });
    const json = { input: HANG, stream: true };
    const stream = await send("POST", `${path}/replies`, { ...call, json });
    const reply = stream.headers.get("Reprise-Reply-Id") ?? "";
    await expect.poll(calls).toBe(1);

    await changeTenant(tenantId, SUSPENDED);
    const text = await stream.text();

    expect(text).toContain("TOOL_CALL_START");
    await changeTenant(tenantId, ACTIVE);
    await expect.poll(async () => (await readLimits(call)).used.running_replies).toBe(0);
    const { json: page } = await ask<{ data: Reply[] }>("GET", `${path}/replies`, call);
    expect(page.data.map(({ status }) => status)).toEqual(["interrupted"]);
    expect(reply).toBe(page.data[0]?.id);
  });

  test("the streams of a session in which nothing runs end too", async () => {
    const { tenantId, call, path } = await openSession();
    await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } });
    const stream = await send("GET", `${path}/events?follow=session`, {
      ...call,
      headers: { Accept: "text/event-stream" },
    });
    expect(stream.status).toBe(200);

    await changeTenant(tenantId, SUSPENDED);

    expect(await stream.text()).toContain("REPLY_END");
  });

  test("a stream that a Worker opens who has not heard of it yet ends too", async () => {
    const { tenantId, session, path, call } = await openSession();
    await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } });
    const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
    const open = () => stub.fetch(`http://session/?after=0&follow=session`);
    const before = await open();
    await changeTenant(tenantId, SUSPENDED);
    await before.text();

    const after = await open();

    expect(await after.text()).toContain("REPLY_END");
  });

  test("a start that was let in just before makes no model call", async () => {
    const { tenantId, session, path, call } = await openSession();
    const lease = vi.spyOn(TenantObject.prototype, "lease").mockImplementationOnce(async () => {
      await changeTenant(tenantId, SUSPENDED);
      const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
      await stub.notify({ stopped: "suspended" });
      return accept({ tokens: 1_000 });
    });
    onTestFinished(() => lease.mockRestore());

    const json = { input: "/say hello", background: true };
    await ask("POST", `${path}/replies`, { ...call, json });
    // The reply has asked again, and was refused.
    await expect.poll(() => lease.mock.settledResults.length).toBe(2);
    await changeTenant(tenantId, ACTIVE);
    const { json: page } = await ask<{ data: Reply[] }>("GET", `${path}/replies`, call);
    await expect
      .poll(async () => (await replyOf(call, path, page.data[0]?.id ?? "")).status)
      .toBe("interrupted");

    expect((await ask("GET", `${path}/events`, call)).text).not.toContain("MODEL_CALL_START");
  });

  test("a reply that waits for a person waits on, and is answered when the tenant is resumed", async () => {
    const tools = [{ type: "external", name: "ship" }];
    const { tenantId, call, path } = await openSession({ name: "Desk", tools });
    const json = { input: "/call ship {}\n/say shipped" };
    const { json: reply } = await ask<Reply>("POST", `${path}/replies`, { ...call, json });

    await changeTenant(tenantId, SUSPENDED);
    await changeTenant(tenantId, ACTIVE);
    const waiting = await replyOf(call, path, reply.id);

    expect([reply.status, waiting.status]).toEqual([
      waiting.status,
      expect.stringMatching(/^awaiting_/),
    ]);
  });

  test("another isolate, which has believed a token, refuses it within 30 seconds", async () => {
    const { tenantId, call, path } = await openSession();
    const token = await mintCall(path, call);
    await ask("GET", `${path}/messages`, token);
    // The cache of another isolate is not forgotten by this one's PATCH: the tenant's object is told behind its back.
    const tenant = env.TENANT.getByName(tenantId);
    const admission = await tenant.admission();
    await tenant.setSettings({
      ...admission,
      status: "suspended",
      revision: admission.revision + 1,
    });
    const believed = await ask("GET", `${path}/messages`, token);

    advanceClock(30_001);

    const refused = await ask("GET", `${path}/messages`, token);
    expect([believed.status, refused.status]).toEqual([200, 403]);
  });

  test("a key that is believed while D1 is down is refused when the tenant's object has seen the suspension", async () => {
    const { tenantId, call, path } = await openSession();
    await ask("GET", path, call);
    const tenant = env.TENANT.getByName(tenantId);
    const admission = await tenant.admission();
    const bindings = { ...env, DB: brokenDatabase() };
    advanceClock(30_001);
    const stale = await ask("GET", path, { ...call, bindings });

    await tenant.setSettings({
      ...admission,
      status: "suspended",
      revision: admission.revision + 1,
    });
    knownTenants.forget(tenantId);
    advanceClock(6_000);
    const refused = await ask("GET", path, { ...call, bindings });

    expect([stale.status, refused.status, refused.json.code]).toEqual([
      200,
      403,
      "tenant_suspended",
    ]);
  });

  test("its webhooks wait, and leave when it is resumed", async () => {
    const { tenantId, call, agent } = await openSession();
    const json = { url: `${inject("webhookReceiverUrl")}/hook/200`, events: ["session.created"] };
    const { json: endpoint } = await ask<{ id: string }>("POST", "/v1/webhook-endpoints", {
      ...call,
      json,
    });
    // Nobody opens sessions while it is suspended: a delivery that was written before stands for those under way.
    await env.DB.prepare("UPDATE tenants SET status = 'suspended' WHERE id = ?")
      .bind(tenantId)
      .run();
    await ask("POST", "/v1/sessions", { ...call, json: { agent_id: agent.id } });
    const statuses = async () =>
      (
        await env.DB.prepare(
          "SELECT status, waits, attempts FROM webhook_deliveries WHERE endpoint_id = ?",
        )
          .bind(endpoint.id)
          .all()
      ).results;
    await expect.poll(statuses).toEqual([{ status: "pending", waits: 1, attempts: 0 }]);

    await changeTenant(tenantId, ACTIVE);

    await expect.poll(statuses).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  test("an older change that arrives later changes nothing", async () => {
    const { tenantId, call, path } = await openSession();
    const tenant = env.TENANT.getByName(tenantId);
    const before = await tenant.admission();
    await changeTenant(tenantId, SUSPENDED);
    await changeTenant(tenantId, ACTIVE);

    await tenant.setSettings({ ...before, status: "suspended", revision: before.revision + 1 });

    expect((await tenant.admission()).status).toBe("active");
    expect((await ask("GET", path, call)).status).toBe(200);
  });
});

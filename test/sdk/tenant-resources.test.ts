// Resources that a tenant sets up through the SDK, over the real platform.
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { UserMsg, webhooks } from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { startLoopbackServer, type RecordedRequest } from "../support/loopback-server.ts";
import { openDesk } from "./desk.ts";
import { CALL_REFUND, openPeopleDesk } from "./people-desk.ts";
import { failure } from "./stage.ts";

describe("webhook endpoints", () => {
  it("are made, changed, given a new secret, listed and removed", async () => {
    const { webhookEndpoints } = (await openDesk()).reprise;
    const { secret, ...made } = await webhookEndpoints.create({
      url: "http://127.0.0.1:9/hook",
      events: ["reply.*"],
    });

    const changed = await webhookEndpoints.update(made.id, { description: "Back office" });
    const rotated = await webhookEndpoints.rotateSecret(made.id, { overlap_ms: 60_000 });

    expect(changed).toEqual({
      ...made,
      description: "Back office",
      updated_at: changed.updated_at,
    });
    expect([secret, rotated.secret]).toEqual([
      expect.stringMatching(/^whsec_/),
      expect.stringMatching(/^whsec_/),
    ]);
    expect(rotated.secret).not.toBe(secret);
    expect((await collect(webhookEndpoints.list())).map(({ id }) => id)).toEqual([made.id]);
    expect(await webhookEndpoints.delete(made.id)).toBeUndefined();
    expect(await failure(webhookEndpoints.get(made.id))).toMatchObject({ code: "not_found" });
  });

  it("show what was sent, and send it again", async () => {
    const { reprise, agentId } = await openDesk();
    const received: RecordedRequest[] = [];
    const server = await startLoopbackServer((request, response) => {
      received.push(request);
      response.end();
    });
    onTestFinished(() => server.stop());
    const { id, secret } = await reprise.webhookEndpoints.create({
      url: server.url,
      events: ["session.created"],
    });
    const session = await reprise.sessions.create({ agent_id: agentId });
    const deliveries = () =>
      collect(reprise.webhookEndpoints.deliveries(id, { status: "delivered" }));
    await expect.poll(async () => (await deliveries()).length).toBe(1);

    const [delivery] = await deliveries();
    await reprise.webhookEndpoints.redeliver(id, delivery?.id ?? "");
    await expect.poll(() => received.length).toBe(2);

    const events = received.map(({ text, headers }) => webhooks.unwrap(text, headers, secret));
    const [first, second] = await Promise.all(events);
    expect(first).toMatchObject({ type: "session.created", data: { session_id: session.id } });
    expect(second).toEqual(first);
    const { payload } = await reprise.webhookEndpoints.delivery(id, delivery?.id ?? "");
    expect(payload).toEqual(first);
  });
});

describe("inbound endpoints", () => {
  it("take an answer that webhooks.sign has signed, once", async () => {
    const { reprise, openSession } = await openPeopleDesk();
    const { id, secret } = await reprise.inboundEndpoints.create({ name: "Back office" });
    const session = await openSession();
    const parked = await session.reply(CALL_REFUND).done();
    const body = JSON.stringify({
      session_id: session.id,
      event: {
        type: "USER_CONFIRM_RESULT",
        reply_id: parked.id,
        confirm_results: parked.pending.map(({ tool_call }) => ({ confirmed: true, tool_call })),
      },
    });
    const headers = await webhooks.sign(body, secret);
    const send = () =>
      fetch(`${inject("baseUrl")}/v1/inbound/${id}`, { method: "POST", headers, body });

    const statuses = [(await send()).status, (await send()).status];

    expect(statuses).toEqual([202, 409]);
    expect((await session.resumeReply(parked.id).done()).status).toBe("completed");
    expect((await collect(reprise.inboundEndpoints.list())).map((endpoint) => endpoint.id)).toEqual(
      [id],
    );
    await reprise.inboundEndpoints.delete(id);
    expect((await send()).status).toBe(401);
  });
});

describe("a tenant's session", () => {
  it("observes, is forked, and is carried elsewhere as a state", async () => {
    const { reprise, agentId, openSession } = await openDesk();
    const session = await openSession();

    const observed = await session.observe([UserMsg("kim", "My order is A-1001.")]);
    const copy = await session.fork({ metadata: { why: "try again" } });
    const state = await copy.state();
    const elsewhere = await reprise.sessions.create({ agent_id: agentId });
    await elsewhere.importState(state);

    const messages = await collect(session.messages.list());
    expect(messages).toEqual(observed.messages);
    expect(await copy.get()).toMatchObject({
      metadata: { why: "try again" },
      forked_from: { session_id: session.id, message_id: messages[0]?.id },
    });
    expect((await elsewhere.state()).context).toEqual(state.context);
  });

  it("has rules of its own, which can be tried", async () => {
    const { openSession } = await openPeopleDesk();
    const { permissionRules } = await openSession();
    const call = { tool_name: "refund_order", input: { order_id: "A-1001" } };
    const rule = {
      tool_name: "refund_order",
      rule_content: "A-1001",
      behavior: "deny",
      source: "desk",
    } as const;

    const before = await permissionRules.test(call);
    const [added] = await permissionRules.create([rule]);
    const after = await permissionRules.test(call);
    await permissionRules.delete(added?.id ?? "");

    expect([before.behavior, after.behavior]).toEqual(["ask", "deny"]);
    expect(after.rule).toMatchObject(rule);
    expect((await permissionRules.test(call)).behavior).toBe("ask");
  });

  it("has tokens that open it until they are revoked", async () => {
    const { openSession, clientOf } = await openDesk();
    const session = await openSession();
    const { id, token } = await session.tokens.create({ verbs: ["read"] });
    const app = clientOf({ apiKey: undefined, token }).session(session.id);

    expect((await app.get()).id).toBe(session.id);
    await session.tokens.revoke(id);

    expect(await failure(app.get())).toMatchObject({ status: 401 });
  });
});

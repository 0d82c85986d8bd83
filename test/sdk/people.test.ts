// People and the app's own systems in a reply, over the real platform.
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { connectSession, type PendingCall } from "../../sdk/index.ts";
import { BROAD, sampled, seeds } from "../support/breadth.ts";
import { collect } from "../support/collect.ts";
import { randomFates, startCuttingProxy } from "../support/cutting-proxy.ts";
import { HOLD, startGateTool } from "../support/gate-tool.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { openDesk } from "./desk.ts";
import { CALL_LABEL, CALL_REFUND, openPeopleDesk, REFUND } from "./people-desk.ts";
import { failure } from "./stage.ts";

function bodiesOf(requests: readonly { readonly path: string; readonly body: unknown }[]) {
  return requests.filter(({ path }) => path === "/refund_order").map(({ body }) => body);
}

describe("a reply that a person lets go on", () => {
  it("is iterated again from where it waited, with the edit in its message", async () => {
    const { openSession, tools } = await openPeopleDesk();
    const session = await openSession();
    const reply = session.reply(CALL_REFUND);
    const before = await collect(reply);
    const parked = await reply.done();

    const receipt = await session.confirm(parked, { input: { order_id: "A-1001", amount: 10 } });
    const after = await collect(reply);

    expect([parked.status, receipt.applied]).toEqual(["awaiting_permission", true]);
    expect([...before, ...after]).toEqual(await collect(session.events({ replyId: parked.id })));
    expect(bodiesOf(tools.requests)).toMatchObject([{ input: { order_id: "A-1001", amount: 10 } }]);
    const stored = await session.message(parked.id);
    expect(JSON.stringify(reply.message())).toBe(JSON.stringify(stored.message));
    expect(stored.message.content.find(({ type }) => type === "tool_call")).toMatchObject({
      input: '{"order_id":"A-1001","amount":10}',
    });
  });

  it("is awaited to its end after an answer, whoever iterated before", BROAD, async () => {
    const { openSession } = await openPeopleDesk();
    const session = await openSession();
    const reply = session.reply(CALL_REFUND);
    await session.confirm(await reply.done(), { confirmed: false, reason: "Over the limit." });

    const done = await reply.done();

    expect([done.status, reply.message()]).toEqual(["completed", done.message]);
    expect(JSON.stringify(done.message)).toContain("Over the limit.");
  });

  it("is read on by another client from the receipt", async () => {
    const { openSession, clientOf } = await openPeopleDesk();
    const session = await openSession();
    const parked = await session.reply(CALL_REFUND).done();
    const other = clientOf({}).session(session.id);

    const { reply } = await other.confirm(parked.pending.map(({ tool_call }) => tool_call.id));
    if (!reply) throw new Error("the receipt has no reply");
    const resumed = other.resumeReply(reply);
    await collect(resumed);

    const stored = await session.message(parked.id);
    expect(JSON.stringify(resumed.message())).toBe(JSON.stringify(stored.message));
  });

  it("refuses the second of two answers that differ, and runs the tool once", BROAD, async () => {
    const { openSession, tools } = await openPeopleDesk();
    const session = await openSession();
    const parked = await session.reply(CALL_REFUND).done();

    const answers = await Promise.allSettled([
      session.confirm(parked, { input: { order_id: "A-1001", amount: 1 } }),
      session.confirm(parked, { input: { order_id: "A-1001", amount: 2 } }),
    ]);
    await session.resumeReply(parked.id).done();

    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "confirmation_used" },
    });
    expect(bodiesOf(tools.requests)).toHaveLength(1);
  });

  it("asks no more about what a taken rule covers", async () => {
    const { openSession, tools } = await openPeopleDesk();
    const session = await openSession();
    const parked = await session.reply(CALL_REFUND).done();

    await session.confirm(parked, ({ suggested_rules }) => ({ rules: suggested_rules }));
    await session.resumeReply(parked.id).done();
    const again = await session.reply(CALL_REFUND).done();

    expect(again.status).toBe("completed");
    expect(bodiesOf(tools.requests)).toHaveLength(2);
    const own = (await collect(session.permissionRules.list())).filter(({ id }) => id !== null);
    expect(own.map(({ tool_name, behavior }) => [tool_name, behavior])).toEqual([
      ["refund_order", "allow"],
    ]);
  });
});

describe("a reply that the app keeps going", () => {
  for (const [rows, breadth] of sampled(seeds(3), 1))
    it.each(rows)(
      "goes to its end in one loop, however often it is cut (seed %i)",
      breadth,
      async (seed) => {
        const { openSession, clientOf, tools } = await openPeopleDesk();
        const fates = randomFates(seededRandom(seed), { cuts: 25, maxBytes: 4_000 });
        const proxy = await startCuttingProxy(inject("baseUrl"), fates);
        onTestFinished(() => proxy.stop());
        const direct = await openSession();
        const phone = clientOf({ baseUrl: proxy.url, maxRetries: 30 }).session(direct.id);
        const asked: string[] = [];
        let printed = 0;

        const reply = phone.reply(REFUND, {
          onConfirm: ({ tool_call }: PendingCall) => {
            asked.push(tool_call.name);
            return { input: { order_id: "A-1001", amount: 49.9 } };
          },
          tools: {
            print_label: ({ order_id }) => `label ${(printed += 1)} of ${String(order_id)}`,
          },
        });
        const events = await collect(reply);

        expect([reply.status, asked, printed]).toEqual(["completed", ["refund_order"], 1]);
        expect(events).toEqual(await collect(direct.events({ replyId: reply.id ?? "" })));
        expect(bodiesOf(tools.requests)).toMatchObject([{ input: { amount: 49.9 } }]);
        expect(await reply.text()).toContain("The refund is on its way");
        const stored = await direct.message(reply.id ?? "");
        expect(JSON.stringify(reply.message())).toBe(JSON.stringify(stored.message));
      },
    );

  it("takes the first of two results, and both readers see the end", BROAD, async () => {
    const { openSession, clientOf } = await openPeopleDesk();
    const session = await openSession();
    const tablet = clientOf({}).session(session.id);
    let arrived = 0;
    let open: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (open = resolve));
    const print_label = async () => {
      arrived += 1;
      if (arrived === 2) open();
      await both;
      return "Printed.";
    };
    const first = session.reply(CALL_LABEL, { tools: { print_label } });
    const reading = collect(first);
    await expect.poll(() => first.id).not.toBe(null);

    const second = collect(tablet.resumeReply(first.id ?? "", { tools: { print_label } }));

    expect(await second).toEqual(await reading);
    expect((await reading).filter(({ type }) => type === "TOOL_RESULT_END")).toHaveLength(1);
  });

  it("stays with follow while others answer, and does its own part", async () => {
    const { openSession, clientOf } = await openPeopleDesk();
    const session = await openSession();
    const office = clientOf({}).session(session.id);
    const types: string[] = [];

    const reply = session.reply(REFUND, {
      follow: true,
      tools: { print_label: () => "Label 1Z-77" },
    });
    for await (const { type } of reply) {
      types.push(type);
      if (type === "REQUIRE_USER_CONFIRM") await office.confirm(await office.get());
    }

    expect(reply.status).toBe("completed");
    expect(await reply.text()).toContain("Label 1Z-77");
    const all = await collect(session.events({ replyId: reply.id ?? "" }));
    expect(types).toEqual(all.map(({ type }) => type));
  });

  it("takes a result from elsewhere, and refuses another one later", async () => {
    const { openSession } = await openPeopleDesk();
    const session = await openSession();
    const reply = session.reply(CALL_LABEL);
    const parked = await reply.done();

    await session.submitToolResults(parked, [{ type: "text", text: "Printed." }]);
    await collect(reply);

    expect(parked.status).toBe("awaiting_external_result");
    expect(reply.status).toBe("completed");
    expect(await failure(session.submitToolResults(parked, "Again."))).toMatchObject({
      code: "call_not_pending",
    });
  });
});

describe("a client token", () => {
  it("lets an app speak and answer in its one session, with the hashes that it was shown", async () => {
    const { openSession, agentId, reprise } = await openPeopleDesk();
    const session = await openSession();
    const { token } = await session.tokens.create({ verbs: ["read", "reply", "confirm"] });
    const app = connectSession(session.id, { token, baseUrl: inject("baseUrl") });

    const reply = app.reply(CALL_REFUND, { onConfirm: () => ({}) });
    await collect(reply);

    expect(reply.status).toBe("completed");
    const other = await reprise.sessions.create({ agent_id: agentId });
    const stranger = connectSession(other.id, { token, baseUrl: inject("baseUrl") });
    expect(await failure(stranger.get())).toMatchObject({ status: 404 });
    expect(await failure(app.submitToolResults(["c1"], "x"))).toMatchObject({
      code: "verb_missing",
    });
  });

  it("that is revoked while it reads is replaced, and nothing is lost", BROAD, async () => {
    const gate = await startGateTool();
    const { openSession } = await openDesk({ tools: [gate.tool] });
    const session = await openSession();
    const minted: string[] = [];
    const token = async () => {
      const created = await session.tokens.create({ verbs: ["read", "reply"] });
      minted.push(created.id);
      return created.token;
    };
    const app = connectSession(session.id, { token, baseUrl: inject("baseUrl") });

    const reply = app.reply(`/rate 100\n/words 20\n${HOLD}\n/say Done.`);
    const seen: number[] = [];
    for await (const event of reply) {
      if (seen.length === 5) {
        await session.tokens.revoke(minted[0] ?? "");
        gate.open();
      }
      seen.push(event.seq);
    }

    const all = await collect(session.events({ replyId: reply.id ?? "" }));
    expect(seen).toEqual(all.map(({ seq }) => seq));
    expect([reply.status, minted.length]).toEqual(["completed", 2]);
  });
});

describe("what waits across a tenant", () => {
  it("is listed, answered at once, and recorded", async () => {
    const { openSession, reprise } = await openPeopleDesk();
    const sessions = [await openSession(), await openSession()];
    for (const session of sessions) await session.reply(CALL_REFUND).done();
    const list = () => collect(reprise.confirmations.list({ kind: "permission" }));
    await expect.poll(async () => (await list()).length).toBe(2);
    const [first, second] = await list();
    if (!first || !second) throw new Error("nothing waits");

    await reprise.session(first.session_id).confirm(first);
    const outcomes = await reprise.confirmations.answer([
      {
        session_id: second.session_id,
        event: {
          type: "USER_CONFIRM_RESULT",
          reply_id: second.reply_id,
          confirm_results: [{ confirmed: false, tool_call: { id: second.tool_call_id } }],
        },
      },
    ]);

    expect(outcomes.map(({ ok, session_id }) => [ok, session_id])).toEqual([
      [true, second.session_id],
    ]);
    await expect.poll(async () => (await list()).length).toBe(0);
    const decisions = await collect(reprise.session(second.session_id).decisions());
    expect(decisions.map(({ behavior, decided_by }) => [behavior, decided_by.kind])).toEqual([
      ["deny", "api_key"],
      ["ask", "platform"],
    ]);
  });
});

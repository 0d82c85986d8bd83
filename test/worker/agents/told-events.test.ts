// A called agent's events are in its caller's log, and its questions can be answered there.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, test } from "vitest";

import { copiedEvent } from "../../../agent/agents/copied-event.ts";
import { answersUnreadable } from "../../../durable-objects/acts/perform-act.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { BROAD } from "../../support/breadth.ts";
import { abortObject } from "../crash/failpoint.ts";
import { silenceLogs } from "../poison/poisoned.ts";
import { mintCall } from "../support/client-token.ts";
import { ask } from "../support/api.ts";
import {
  callHelper,
  childOf,
  endOf,
  lastReplyOf,
  openAgentDesk,
  readReply,
  readSession,
  resultTexts,
  run,
  waits,
} from "./agent-desk.ts";
import {
  confirm,
  endsIn,
  eventsOf,
  giveResultBelow,
  merged,
  openAskingTree,
  pendingBelow,
  questionsIn,
  toldIn,
  toldOf,
} from "./told-events.ts";

/** The text of the deltas, and the types of all other events. */
function said(events: readonly LoggedEvent[]): readonly string[] {
  return events.map((event) =>
    event.type === "CUSTOM" ? event.name : "delta" in event ? event.delta : event.type,
  );
}

describe("a called agent's events", () => {
  it("are in the caller's log before the result, without what it has thought", async () => {
    const desk = await openAgentDesk();
    await run(desk, `${callHelper("/think Hm.\n/say The parcel left.")}\n/say Thanks.`);
    const child = await childOf(desk);
    const events = await eventsOf(desk.call, desk.session.id);
    const [first] = toldIn(events);
    const places = events.flatMap((event) =>
      event.type === "TOOL_RESULT_END" ||
      (event.type === "CUSTOM" && event.name !== "message_added")
        ? [event.type === "CUSTOM" ? event.name : event.type]
        : [],
    );

    expect(said(toldOf(events, child.id)).join(" ")).toBe(
      "REPLY_START TEXT_BLOCK_START The parcel left. TEXT_BLOCK_END REPLY_END",
    );
    expect({ ...first, events: [] }).toEqual({
      reply_id: (await lastReplyOf(desk.call, desk.session.id)).id,
      tool_call_id: events.find(({ type }) => type === "TOOL_RESULT_END")?.[
        "tool_call_id" as never
      ],
      session_id: child.id,
      agent_id: desk.helperId,
      agent_name: "Helper",
      parent_session_id: desk.session.id,
      events: [],
    });
    expect([places[0], places.at(-1)]).toEqual(["subagent_call", "TOOL_RESULT_END"]);
    expect(places.lastIndexOf("subagent_event")).toBeLessThan(places.lastIndexOf("subagent_call"));
  });

  it("of every level are in each log above, under the call that they are of, once and in order", async () => {
    const tree = await openAskingTree();
    const { call, session, middle, below } = tree;
    const [asked] = await pendingBelow(call, session.id, tree.id);
    await confirm(call, session.id, asked!);
    const [next] = await pendingBelow(call, session.id, tree.id);
    const streamed = await giveResultBelow(call, session.id, next!, "?stream=true");
    const reply = await endOf(tree, tree.id);
    const [top, between, lowest] = await Promise.all(
      [session.id, middle.id, below.id].map((id) => eventsOf(call, id)),
    );
    const copies = lowest!.flatMap((event) => copiedEvent(event, new Map()) ?? []);

    expect(resultTexts(reply)).toEqual([["success", "Passed on."]]);
    // The stream of an answer that is handed down is that of the session that it was posted to.
    expect(streamed.text).toContain(`"session_id":"${session.id}","reply_id":"${tree.id}"`);
    expect(streamed.text).toContain("subagent_user_confirm_result");
    expect(merged(toldOf(top!, below.id))).toEqual(merged(copies));
    expect(merged(toldOf(between!, below.id))).toEqual(merged(copies));
    const levels = toldIn(top!).map((told) => [told.session_id, told.parent_session_id].join(" "));
    expect([...new Set(levels)].toSorted()).toEqual(
      [`${middle.id} ${session.id}`, `${below.id} ${middle.id}`].toSorted(),
    );
    expect(said(toldOf(top!, middle.id))).not.toContain("subagent_event");
  });
});

describe("a question two levels down", () => {
  it("is in each log and reply above, once in the inbox, and answered from the top", async () => {
    const tree = await openAskingTree();
    const { call, session, middle, below } = tree;
    const [asked] = await pendingBelow(call, session.id, tree.id);
    const inbox = await ask<Page<{ session_id: string; call_id: string }>>(
      "GET",
      "/v1/confirmations",
      call,
    );
    const keyed = { ...call, headers: { "Idempotency-Key": "answer-1" } };
    const taken = await confirm(keyed, session.id, asked!);
    const repeated = await confirm(keyed, session.id, asked!);
    const again = await confirm(call, session.id, asked!);
    const behind = await readReply(call, session.id, tree.id);
    const [own] = below.pending;

    expect(asked).toEqual({
      ...own,
      session_id: below.id,
      agent_id: tree.helperId,
      reply_id: below.reply_id,
    });
    expect(inbox.json.data.map((row) => row.session_id)).toEqual([below.id]);
    expect([taken.status, taken.json.applied, taken.json.reply?.session_id]).toEqual([
      202,
      true,
      below.id,
    ]);
    expect([repeated.json.applied, repeated.headers.get("Idempotent-Replayed")]).toEqual([
      true,
      "true",
    ]);
    expect([again.status, again.json.applied]).toEqual([202, false]);
    // The call waits for its result by now, and no more for a person.
    expect(behind.subagents?.[0]?.pending?.map(({ kind }) => kind) ?? []).not.toContain(
      "permission",
    );
    for (const id of [session.id, middle.id]) {
      const events = await eventsOf(call, id);
      expect(questionsIn(events)[0]).toMatchObject({
        worker_session_id: below.id,
        worker_agent_id: tree.helperId,
        worker_agent_name: "Helper",
        reply_id: below.reply_id,
        event_type: "require_user_confirm",
        event: { type: "REQUIRE_USER_CONFIRM", tool_calls: [{ id: own!.tool_call.id }] },
      });
      expect(endsIn(events)[0]).toMatchObject({
        worker_session_id: below.id,
        reply_id: below.reply_id,
        tool_call_ids: [own!.tool_call.id],
      });
    }
  });

  it("takes a reason from the top, and an answer in its own session that the top then shows", async () => {
    const tree = await openAskingTree();
    const { call, session, below } = tree;
    const [asked] = await pendingBelow(call, session.id, tree.id);
    const wrong = await confirm(call, session.id, { ...asked!, reply_id: "rep_none" });
    await confirm(call, below.id, asked!, { confirmed: false, reason: "Too much." });
    const reply = await endOf(tree, tree.id);
    const late = await confirm(call, session.id, asked!);

    expect([wrong.status, wrong.json.code]).toEqual([409, "call_not_pending"]);
    expect(resultTexts(reply)).toEqual([["success", "Passed on."]]);
    expect(endsIn(await eventsOf(call, session.id))[0]?.tool_call_ids).toEqual([
      asked!.tool_call.id,
    ]);
    expect([late.status, late.json.code]).toEqual([409, "confirmation_used"]);
  });

  it(
    "is cancelled with the reply at the top, and says so to whoever answers late",
    BROAD,
    async () => {
      const tree = await openAskingTree();
      const { call, session, below } = tree;
      const [asked] = await pendingBelow(call, session.id, tree.id);
      await ask("POST", `/v1/sessions/${session.id}/interrupt`, call);
      const atTop = await confirm(call, session.id, asked!);
      const status = async () => (await lastReplyOf(call, below.id)).status;
      await expect.poll(status).toBe("interrupted");
      const inPlace = await confirm(call, below.id, asked!);
      const inbox = async () =>
        (await ask<Page<unknown>>("GET", "/v1/confirmations", call)).json.data;
      await expect.poll(inbox).toEqual([]);
      const events = await eventsOf(call, session.id);

      const words = "the reply that has called this agent has ended, and the question with it";
      expect([atTop.status, atTop.json.code, atTop.json.detail]).toEqual([
        409,
        "call_not_pending",
        words,
      ]);
      expect([inPlace.status, inPlace.json.code, inPlace.json.detail]).toEqual([
        409,
        "call_not_pending",
        words,
      ]);
      expect(endsIn(events).map(({ tool_call_ids }) => tool_call_ids)).toEqual([
        [asked!.tool_call.id],
      ]);
      expect((await readReply(call, session.id, tree.id)).subagents?.[0]?.pending).toBeUndefined();
      const end = events.findIndex(({ type }) => type === "TOOL_RESULT_END");
      expect(said(events).indexOf("subagent_user_confirm_result")).toBeLessThan(end);
    },
  );

  it("takes an answer of the caller's client token, which is shown nothing of the agent's session", async () => {
    const tree = await openAskingTree();
    const { session, below } = tree;
    const [asked] = await pendingBelow(tree.call, session.id, tree.id);
    const path = `/v1/sessions/${session.id}`;
    const call = await mintCall(path, tree.call, { verbs: ["read", "confirm"] });
    const reader = await mintCall(path, tree.call, { verbs: ["read"] });
    const unproven = await confirm(call, session.id, { ...asked!, input_hash: null });
    const refused = await confirm(reader, session.id, asked!);
    const there = await confirm(call, below.id, asked!);
    const taken = await confirm(call, session.id, asked!);
    const decisions = await ask<Page<{ decided_by: unknown }>>(
      "GET",
      `/v1/sessions/${below.id}/decisions`,
      tree.call,
    );

    expect([unproven.json.code, refused.status, there.status]).toEqual([
      "input_hash_missing",
      403,
      404,
    ]);
    expect(taken.status).toBe(202);
    expect(taken.json.reply).toMatchObject({ session_id: below.id, message: null, pending: [] });
    expect(JSON.stringify(decisions.json.data)).toContain('"kind":"client_token"');
    expect((await ask("GET", `/v1/sessions/${below.id}`, call)).status).toBe(404);
  });
});

test("a question whose call has ended takes no answer, although the reply says something yet", async () => {
  const tree = await openAskingTree();
  const { call, session, below, tenantId } = tree;
  const [asked] = await pendingBelow(call, session.id, tree.id);
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  // As behind an interrupt, before the agent has heard of it: in an hour, so that it does not.
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("UPDATE children SET phase = 'stopping', look_at = look_at + 3600000");
    storage.sql.exec("UPDATE subagent_questions SET ended = 'cancelled', body = NULL");
  });
  const late = await confirm(call, session.id, asked!);

  expect([late.status, late.json.code, late.json.detail]).toEqual([
    409,
    "call_not_pending",
    "the reply that has called this agent has ended, and the question with it",
  ]);
  expect((await readSession(call, below.id)).pending).toHaveLength(1);
});

test(
  "a reply that waits for an answer of its own still gets what its agents tell",
  BROAD,
  async () => {
    const own = { type: "external", name: "ask_ada", read_only: true, concurrency_safe: true };
    const desk = await openAgentDesk({
      desk: { tools: [own] },
      helper: { tools: [{ type: "external", name: "pay" }] },
    });
    const started = `${callHelper("/call pay {}\n/say Hi.")}\n/call ask_ada {}\n/say So.`;
    const path = `/v1/sessions/${desk.session.id}/replies`;
    const { json } = await ask<{ id: string }>("POST", path, {
      ...desk.call,
      json: { input: started, background: true },
    });
    await waits(desk.call, desk.session.id);
    const [asked] = await pendingBelow(desk.call, desk.session.id, json.id);

    expect((await readSession(desk.call, desk.session.id)).pending).toHaveLength(1);
    expect((await confirm(desk.call, desk.session.id, asked!)).status).toBe(202);
  },
);

test("an act that code does not know fails with the words by which a caller knows code of before", () => {
  expect(() => answersUnreadable("noSuchAct" as never)).toThrow("answersUnreadable");
});

test("a caller whose log is damaged ends, and the agents below it are stopped", BROAD, async () => {
  silenceLogs();
  const tree = await openAskingTree();
  const { call, session, below, tenantId } = tree;
  await pendingBelow(call, session.id, tree.id);
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("UPDATE events SET frames = zeroblob(300)");
  });
  await abortObject(stub);
  await expect.poll(async () => (await readReply(call, session.id, tree.id)).status).toBe("error");
  await expect.poll(async () => (await lastReplyOf(call, below.id)).status).toBe("interrupted");
  const late = await confirm(call, below.id, {
    ...below.pending[0]!,
    reply_id: below.reply_id!,
  });

  expect([late.status, late.json.code]).toEqual([409, "call_not_pending"]);
});

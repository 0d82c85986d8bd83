/** @module-tag broad */
// Replays under bad conditions: models that loop, flood and hang, clients that leave, sessions that are deleted, quotas,
// and credentials that may not.
import { describe, expect, inject, onTestFinished, test } from "vitest";

import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { Replay, ReplayEvent } from "../../../protocol/replay/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { MAX_REPLAY_MODEL_CALLS } from "../../../protocol/diagnostics/limits.ts";
import { says, type FakeTurn } from "../../support/fake-openai.ts";
import {
  createAgent,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";
import {
  calls,
  openDesk,
  openReplay,
  openSession,
  replay,
  say,
  type Desk,
} from "../../support/replayed-desk.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";
import { waitFor } from "../../support/wait-for.ts";

const LOOK = ["look_up", { order_id: "A-1" }] as const;
/** Until its client is gone. */
const hang: FakeTurn = () => new Promise(() => undefined);

async function recorded(turns: readonly FakeTurn[], overrides: object = {}) {
  const desk = await openDesk([calls(LOOK), says("Found."), ...turns], overrides);
  const reply = await say(desk, "Where is A-1?");
  expect(reply.status).toBe("completed");
  return { ...desk, reply };
}

/** But for the rows of the tenant in D1, of which the audit of a replay is one. */
async function used({ key }: Pick<Desk, "key">): Promise<Record<string, number>> {
  const { body } = await request<{ used: Record<string, number> }>("GET", "/v1/limits", { key });
  const { database_bytes: _, ...counts } = body.used;
  return counts;
}

describe("a hostile model", () => {
  test("that calls tools for ever is ended after so many calls", async () => {
    const desk = await recorded([calls(LOOK)], { max_iters: 200 });

    const { body } = await replay(desk);

    expect(body.stopped).toMatchObject({ reason: "model_calls", reply_id: desk.reply.id });
    expect(body.replies[0]?.replayed.model_calls).toBe(MAX_REPLAY_MODEL_CALLS);
    expect(desk.model.requests).toHaveLength(2 + MAX_REPLAY_MODEL_CALLS);
    expect(desk.asked).toHaveLength(1);
  });

  test("that calls unknown tools and invalid inputs gets what it would get", async () => {
    const desk = await recorded([
      calls(["drop_tables", {}], ["look_up", { order: 1 }]),
      says("Found."),
    ]);

    const { body } = await replay(desk);

    expect(body.stopped).toBe(null);
    expect(body.replies[0]?.calls).toMatchObject([
      { change: "new", tool_name: "drop_tables", answered: "platform", state: "error" },
      { change: "changed", tool_name: "look_up", answered: "platform", state: "error" },
    ]);
  });

  test("that floods fails the reply, and the replay ends", async () => {
    const desk = await recorded([(stream) => stream.flood(": noise\\n\\n".repeat(5_000))]);

    const { body } = await replay(desk);

    expect(body.stopped).toMatchObject({ reason: "reply_failed", reply_id: desk.reply.id });
    expect(body.replies[0]?.replayed.status).toBe("error");
  });

  test("that refuses ends the replay with its error, and nothing of its words", async () => {
    const desk = await recorded([(stream) => stream.fail(401)]);

    const { status, body } = await replay(desk);

    expect([status, body.stopped?.reason]).toEqual([200, "reply_failed"]);
    expect(body.stopped?.error?.type).toBe("authentication");
    expect(JSON.stringify(body)).not.toContain("sk-secret");
  });
});

test("a client that leaves ends the replay, and its model call", async () => {
  const desk = await recorded([hang]);
  const leaving = new AbortController();
  const response = await openReplay(desk, {}, leaving.signal);
  expect(response.status).toBe(200);
  await waitFor(() => expect(desk.model.requests).toHaveLength(3));
  expect(await used(desk)).toMatchObject({ running_replies: 1 });

  leaving.abort();

  await desk.model.abandoned;
  await waitFor(async () => expect(await used(desk)).toMatchObject({ running_replies: 0 }));
});

test("a tenant runs one replay at a time", async () => {
  const desk = await recorded([hang, calls(LOOK), says("Found.")]);
  const leaving = new AbortController();
  const first = await openReplay(desk, {}, leaving.signal);
  expect(first.status).toBe(200);
  await waitFor(() => expect(desk.model.requests).toHaveLength(3));

  const second = await replay(desk);
  expect([second.status, second.body]).toMatchObject([409, { code: "replay_running" }]);
  expect(desk.model.requests).toHaveLength(3);

  leaving.abort();
  await desk.model.abandoned;
  await waitFor(async () => expect((await replay(desk)).status).toBe(200));
});

test("of a session that is deleted meanwhile nothing is shown", async () => {
  // The second reply hangs when it is run again.
  const desk = await recorded([says("Second."), calls(LOOK), says("Found."), hang]);
  const { key, session } = desk;
  await say(desk, "And then?");
  const response = await openReplay(desk);
  const reading = response.json() as Promise<Replay>;
  await waitFor(() => expect(desk.model.requests).toHaveLength(6));

  expect((await request("DELETE", `/v1/sessions/${session}`, { key })).status).toBe(204);

  expect(await reading).toMatchObject({
    replies: [],
    summary: { replies: 0 },
    stopped: { reason: "session_deleted", tool_call: null },
  });
  await desk.model.abandoned;
  const gone = await replay(desk);
  expect([gone.status, gone.body]).toMatchObject([
    404,
    { code: "not_found", errors: [{ pointer: "#/session_id" }] },
  ]);
});

test("the stream tells what it does and ends with the answer", async () => {
  const desk = await recorded([says("Second."), calls(LOOK), says("Found."), says("Second.")]);
  const second = await say(desk, "And then?");

  const response = await openReplay(desk, { stream: true });

  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const frames = await readSse(response);
  const events = frames.map(({ data }) => JSON.parse(data) as ReplayEvent);
  expect(frames.map(({ event }) => event)).toEqual(["progress", "progress", "result"]);
  expect(events.slice(0, 2)).toEqual([
    { type: "progress", reply_id: desk.reply.id, number: 1, replies: 2 },
    { type: "progress", reply_id: second.id, number: 2, replies: 2 },
  ]);
  expect(events[2]).toMatchObject({
    replay: { session_id: desk.session, stopped: null, summary: { answers_changed: 0 } },
  });
});

describe("what a replay uses", () => {
  test("counts for the day, in the usage as no reply, and is in the audit log", async () => {
    const desk = await recorded([calls(LOOK), says("Found.")]);
    const { key } = desk;
    const usageOf = async () => {
      const { body } = await request<Page<Record<string, number>>>("GET", "/v1/usage", { key });
      return body.data;
    };
    await waitFor(async () => expect(await usageOf()).toMatchObject([{ input_tokens: 30 }]));
    const before = await used(desk);

    const { body } = await replay(desk);

    expect(body.summary.replayed.usage).toMatchObject({ input_tokens: 30, output_tokens: 6 });
    expect(await used(desk)).toEqual({
      ...before,
      tokens_per_day: (before["tokens_per_day"] ?? 0) + 36,
      running_replies: 0,
    });
    expect(await usageOf()).toMatchObject([{ replies: 1, input_tokens: 60, output_tokens: 12 }]);
    const audit = await request<Page<AuditEntry>>("GET", "/v1/audit?action=session.replayed", {
      key,
    });
    expect(audit.body.data).toMatchObject([
      {
        target_id: desk.session,
        after: { replay_id: body.id, agent_id: desk.agent, version: 1, assume: "stop" },
      },
    ]);
  });

  test("is bound by the agent's budget and by the tenant's quota of tokens", async () => {
    const desk = await recorded([calls(LOOK), says("Found.")]);
    const budget = { max_tokens: 20 };
    const bound = await replay(desk, { definition: { ...desk.definition, budget } });
    expect(bound.body).toMatchObject({
      stopped: { reason: "reply_failed" },
      replies: [{ replayed: { status: "error", model_calls: 1 } }],
    });

    const before = await used(desk);
    const spent = await request("PATCH", `/v1/tenants/${desk.tenant}`, {
      key: inject("operatorKey"),
      body: { quotas: { tokens_per_day: 40 } },
    });
    expect(spent.status).toBe(200);
    const refused = await replay(desk);
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { code: "quota_exceeded", quota: "tokens_per_day" },
    ]);
    expect(await used(desk)).toMatchObject({ ...before, running_replies: 0 });
  });

  test("brings no webhook", async () => {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.stop());
    const desk = await recorded([calls(LOOK), says("Found."), says("The last word.")]);
    const { key } = desk;
    const body = { url: `${receiver.url}/replays/200`, events: ["*"] };
    const made = await request("POST", "/v1/webhook-endpoints", { key, body });
    expect(made.status).toBe(201);
    expect((await replay(desk)).body.stopped).toBe(null);

    // The webhook of the next reply arrives, and nothing before.
    const next = await say(desk, "And now?");

    const [first] = await receiver.waitFor("/replays/200", 1);
    expect(first?.body).toMatchObject({ data: { reply_id: next.id } });
  });
});

describe("a replay is refused", () => {
  test("to a key without the scopes, and to a client token", async () => {
    const desk = await recorded([says("Never.")]);
    const { key, session } = desk;
    const keyWith = async (scopes: readonly string[]) => {
      const body = { name: "Some", scopes };
      const made = await request<{ api_key: string }>("POST", "/v1/api-keys", { key, body });
      return made.body.api_key;
    };
    for (const scopes of [["agents:write"], ["sessions:read", "sessions:write", "agents:read"]]) {
      const refused = await replay({ ...desk, key: await keyWith(scopes) });
      expect([refused.status, refused.body]).toMatchObject([403, { code: "insufficient_scope" }]);
    }
    const token = await request<{ token: string }>("POST", `/v1/sessions/${session}/tokens`, {
      key,
      body: {},
    });
    const refused = await replay({ ...desk, key: token.body.token });
    expect(refused.status).toBe(403);
    const enough = await keyWith(["agents:write", "sessions:read"]);
    expect((await replay({ ...desk, key: enough })).status).toBe(200);
  });

  test("for what is another tenant's, another agent's, or not there", async () => {
    const desk = await recorded([says("Never.")]);
    const { key, agent, session } = desk;
    const stranger = await createTenant();
    const foreign = await createAgent(stranger.key, { tools: [] });
    const notFound = { code: "not_found" };
    expect((await replay({ key: stranger.key, agent, session })).body).toMatchObject(notFound);
    const theirs = await replay({ key: stranger.key, agent: foreign, session });
    const never = await replay({ key, agent, session: `ses_${"0".repeat(26)}` });
    const shape = { ...notFound, errors: [{ pointer: "#/session_id" }] };
    expect([theirs.body, never.body]).toMatchObject([shape, shape]);
    const other = await createAgent(key, { tools: [] });
    const mismatch = await replay({ key, agent: other, session });
    expect([mismatch.status, mismatch.body]).toMatchObject([409, { code: "agent_mismatch" }]);
    const version = await replay(desk, { version: 99 });
    expect(version.body).toMatchObject({ ...notFound, errors: [{ pointer: "#/version" }] });
    const part = await replay(desk, { from_reply_id: `rep_${"0".repeat(26)}` });
    expect(part.body).toMatchObject({ ...notFound, errors: [{ pointer: "#/from_reply_id" }] });
    expect(desk.model.requests).toHaveLength(2);
  });

  test("for a body that does not fit, and a draft that could not be stored", async () => {
    const desk = await recorded([says("Never.")]);
    const { definition } = desk;
    const model = { provider: "openai", name: "m", credential_id: `crd_${"0".repeat(26)}` };
    const bodies = [
      { version: 1, definition },
      { max_replies: 0 },
      { max_replies: 51 },
      { assume: "maybe" },
      { session_id: 7 },
      { definition: { ...definition, model } },
      { definition: { ...definition, tools: [{ type: "code", name: "none" }] } },
      { surprise: true },
    ];
    for (const body of bodies) {
      const refused = await replay(desk, body);
      expect([body, refused.status, refused.body]).toMatchObject([
        body,
        400,
        { code: "validation_failed" },
      ]);
    }
    const path = `/v1/agents/${desk.agent}/replays`;
    const broken = await openRequest("POST", path, { key: desk.key, body: "{" });
    expect(broken.status).toBe(400);
    expect(desk.model.requests).toHaveLength(2);
    expect(await openSession(desk.key, desk.agent)).toContain("ses_");
  });
});

// A session that was stored by the version of the baseline: the newest code reads it, goes on with it and answers it.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, onTestFinished, test, vi } from "vitest";

import { BASELINE_VERSION, migrate } from "../../../durable-objects/tables/schema.ts";
import type { Confirmation } from "../../../protocol/confirmations/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import baseline from "../../fixtures/baseline/session.json";
import { ask } from "../support/api.ts";
import { confirmation, withTools } from "../confirmations/parked.ts";
import { objectOf } from "../sessions/session.ts";
import { sessionInit } from "../sessions/session-init.ts";
import {
  FIRST,
  loadStoredSession,
  makeStoredSession,
  storedObject,
  type StoredSession,
} from "./stored-session.ts";
import { layoutOf } from "./table-layout.ts";

test.each([
  ["of the baseline", async (): Promise<StoredSession> => baseline],
  ["of today", makeStoredSession],
])("a stored session %s is read, listed, answered and goes on", async (_, find) => {
  const stored = await find();
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.parse(stored.made_at) + 1_000);
  await loadStoredSession(stored);
  const [first, waiting, queued] = stored.reply_ids;
  const call = { key: stored.api_key };
  const path = `/v1/sessions/${stored.session_id}`;
  const get = async <Body>(what: string, { key } = call) => {
    const { status, json, text } = await ask<Body>("GET", what, { key });
    if (status !== 200) throw new Error(`${what}: ${text}`);
    return json;
  };

  // The content of its object.
  expect(await get<Session>(path)).toMatchObject({
    id: stored.session_id,
    end_user_id: "ann",
    status: "awaiting_permission",
    reply_id: waiting,
    queued_reply_ids: [queued],
  });
  const texts = async () =>
    (await get<Page<Msg>>(`${path}/messages`)).data.map((message) => getTextContent(message));
  expect((await texts()).toSorted()).toEqual(
    [FIRST.input, "hello", '/call refund {"order":"A-1001"}\n/say done', null].toSorted(),
  );
  expect((await get<Page<object>>(`${path}/events?limit=1`)).data).toMatchObject([
    { seq: 1, type: "CUSTOM", name: "message_added" },
  ]);
  expect(await get(`${path}/shared-state`)).toMatchObject({
    state: { order: "A-1001" },
    version: 1,
  });
  expect(await get(`${path}/permission-rules`)).toMatchObject({
    data: [{ tool_name: "look", behavior: "deny", scope: "session" }],
  });
  expect((await get<Page<object>>(`${path}/decisions`)).data).toHaveLength(1);
  expect((await get<Page<object>>(`${path}/tokens`)).data).toHaveLength(1);
  expect(await get(path, { key: stored.client_token })).toMatchObject({ id: stored.session_id });
  const again = await ask<Reply>("POST", `${path}/replies`, {
    ...call,
    json: { input: FIRST.input },
    headers: { "Idempotency-Key": FIRST.idempotency_key },
  });
  expect([again.status, again.json.id]).toEqual([200, first]);

  // The content of D1.
  const listed = () => get<Page<SessionSummary>>("/v1/sessions?status=awaiting_permission");
  const asked = () => get<Page<Confirmation>>("/v1/confirmations");
  expect((await listed()).data).toMatchObject([{ id: stored.session_id }]);
  expect((await asked()).data).toMatchObject([{ reply_id: waiting, end_user_id: "ann" }]);
  expect((await get<Page<UsageRow>>("/v1/usage")).data).toMatchObject([{ replies: 2 }]);
  expect(await get("/v1/limits")).toMatchObject({ used: { sessions: 1, agents: 1, api_keys: 1 } });

  // The session goes on.
  await withTools(async (calls) => {
    const reply = await get<Reply>(`${path}/replies/${waiting}`);
    const [pending] = reply.pending;
    const json = confirmation(reply.id, pending!);
    const { status } = await ask("POST", `${path}/events`, { ...call, json });
    expect(status).toBe(202);
    for (const id of [waiting, queued]) {
      await expect
        .poll(async () => (await get<Reply>(`${path}/replies/${id}`)).status)
        .toBe("completed");
    }
    expect(calls).toMatchObject([{ url: "https://tools.example/refund" }]);
  });
  expect(await texts()).toEqual(expect.arrayContaining(["done", "/say later", "later"]));
  await expect.poll(async () => [(await listed()).data, (await asked()).data]).toEqual([[], []]);
  await expect
    .poll(async () => (await get<Page<UsageRow>>("/v1/usage")).data)
    .toMatchObject([{ replies: 3 }]);

  const { status } = await ask("DELETE", path, call);
  expect(status).toBe(204);
  expect((await env.DB.prepare("SELECT id FROM sessions").all()).results).toEqual([]);
});

test("the tables of the baseline come to be those of a new object", async () => {
  await loadStoredSession(baseline);
  const migrated = await runInDurableObject(storedObject(baseline), (_, { storage }) => {
    migrate(storage);
    return layoutOf(storage);
  });
  const made = await runInDurableObject(objectOf(sessionInit({})), (_, { storage }) => {
    migrate(storage);
    return layoutOf(storage);
  });

  expect(migrated).toEqual(made);
  expect(baseline.object).toContain(
    `INSERT INTO schema_version (version) VALUES (${BASELINE_VERSION})`,
  );
});

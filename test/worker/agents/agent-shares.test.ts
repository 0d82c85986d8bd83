// Whose share a fork of a called agent's session counts in: its own, in D1 as in the tenant's object.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { sessionObjectName, type SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { holderOf, HOLDER } from "../../../storage/quotas/holder-of.ts";
import { ask } from "../support/api.ts";
import { callHelper, childOf, openAgentDesk, run } from "./agent-desk.ts";

/** The holder by the row in D1, and by what the session's object tells its tenant's. */
async function holdersOf(tenantId: string, id: string): Promise<readonly unknown[]> {
  const row = await env.DB.prepare(`SELECT ${HOLDER} AS holder FROM sessions WHERE id = ?`)
    .bind(id)
    .first<{ holder: string }>();
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, id));
  const init = await runInDurableObject(stub, (_, { storage }) => {
    const [kept] = storage.sql.exec<{ init: string }>("SELECT init FROM session").toArray();
    return JSON.parse(kept?.init ?? "{}") as SessionInit;
  });
  return [row?.holder, holderOf({ ...init, root_session_id: init.bounds?.root_session_id })];
}

test("a fork of a called agent's session without an end user counts for itself, wherever it is counted", async () => {
  const desk = await openAgentDesk({ session: { end_user_id: undefined } });
  await run(desk, `${callHelper("/say Hi.")}\n/say So.`);
  const child = await childOf(desk);

  const forked = await ask<Session>("POST", `/v1/sessions/${child.id}/fork`, {
    ...desk.call,
    json: {},
  });

  expect([forked.status, forked.json.parent_session_id]).toEqual([201, null]);
  expect(await holdersOf(desk.tenantId, child.id)).toEqual(
    [1, 2].map(() => `s:${desk.session.id}`),
  );
  expect(await holdersOf(desk.tenantId, forked.json.id)).toEqual(
    [1, 2].map(() => `s:${forked.json.id}`),
  );
});

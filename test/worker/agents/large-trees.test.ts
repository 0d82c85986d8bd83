// Sessions that have called more agents than one statement hides: all of them go, some at a time.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { MAX_CALLED_HIDDEN_AT_ONCE } from "../../../protocol/sessions/limits.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { BROAD } from "../../support/breadth.ts";
import { ask, openSession } from "../support/api.ts";

const MORE = 20;

/** A session with rows of so many called ones, of which the first has called some, too. */
async function openCaller(count: number) {
  const { tenantId, call, path, session } = await openSession();
  const insert = (parent: string, prefix: string, rows: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
       INSERT INTO sessions (id, tenant_id, agent_id, agent_version, metadata, created_at, parent_session_id, root_session_id)
       SELECT 'ses_' || ?2 || printf('%06d', n), ?3, ?4, 1, '{}', ?5, ?6, ?7 FROM n`,
    ).bind(rows, prefix, tenantId, session.agent_id, session.created_at, parent, session.id);
  const [direct, below] = [1, 2].map(() => crypto.randomUUID().replaceAll("-", "").slice(0, 20));
  await env.DB.batch([
    insert(session.id, direct!, count),
    insert(`ses_${direct}000001`, below!, MORE),
  ]);
  const rows = async (where: string) =>
    (
      await env.DB.prepare(
        `SELECT count(*) AS count FROM sessions WHERE tenant_id = ? AND ${where}`,
      )
        .bind(tenantId)
        .first<{ count: number }>()
    )?.count;
  const { sessions } = tenantStorage(env.DB, tenantId);
  return { call, path, session, sessions, first: `ses_${direct}000001`, rows };
}

test("one statement of a deletion hides a bounded number of called sessions, and the next the others", async () => {
  const { session, sessions, rows } = await openCaller(MAX_CALLED_HIDDEN_AT_ONCE + MORE);
  const now = new Date().toISOString();

  const hidden = await sessions.beginRemoval(session.id, now);
  const visible = await rows("deleted_at IS NULL");
  const [next, none] = [
    await sessions.hideCalled(session.id, now),
    await sessions.hideCalled(session.id, now),
  ];

  expect(hidden?.called_ids).toHaveLength(MAX_CALLED_HIDDEN_AT_ONCE);
  // Of the first level some, and the level below it.
  expect(visible).toBe(2 * MORE);
  expect([next.length > 0, none]).toEqual([true, []]);
  expect(await rows(`deleted_at IS NULL AND parent_session_id = '${session.id}'`)).toBe(0);
});

test(
  "a session goes with more called ones than one statement hides, and none of them stays",
  BROAD,
  async () => {
    const { call, path, rows } = await openCaller(MAX_CALLED_HIDDEN_AT_ONCE + MORE);

    const deleted = await ask("DELETE", path, call);

    expect([deleted.status, (await ask("GET", path, call)).status]).toEqual([204, 404]);
    await expect.poll(() => rows("1")).toBe(0);
  },
);

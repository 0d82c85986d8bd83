// Recordings of tenants that may not go on: out of tokens, or suspended.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { SessionObject } from "../../../durable-objects/session-object.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, OPERATOR } from "../support/api.ts";
import {
  contentsOf,
  recordingsOf,
  remembering,
  remembers,
  say,
  type Remembering,
} from "./remembering.ts";

const AGENT = remembers("static_control");
const INPUT = "/remember The user has a dog.\n/say Nice.";

function change({ owner }: Remembering, json: object) {
  return ask("PATCH", `/v1/tenants/${owner.tenant_id}`, { ...OPERATOR, json });
}

function objectOf({ owner, session_id }: Remembering): DurableObjectStub<SessionObject> {
  return env.SESSION.getByName(sessionObjectName(owner.tenant_id, session_id));
}

function rowsOf(session: Remembering, ...queries: readonly string[]): Promise<unknown[]> {
  return runInDurableObject(objectOf(session), (_, { storage: { sql } }) =>
    queries.map((query) => sql.exec(query).toArray()).at(-1),
  ) as Promise<unknown[]>;
}

test("a recording is refused once the tokens of the day are used up, and says so", async () => {
  const ann = await remembering(AGENT);
  await change(ann, { quotas: { tokens_per_day: 10 } });
  const { id, status } = await say(ann, INPUT);
  const found = await recordingsOf(ann, 1);

  expect(status).toBe("completed");
  expect(found).toMatchObject([
    { name: "memory_record_failed", reply_id: id, error: { type: "quota_exceeded" } },
  ]);
  expect(await rowsOf(ann, "SELECT reply_id FROM recordings")).toEqual([]);
  expect(await contentsOf(ann)).toEqual([]);
});

test("a recording waits while its tenant is suspended, and is made then", async () => {
  const ann = await remembering(AGENT);
  await ask("PATCH", ann.path, { ...ann.call, json: { permission: { mode: "explore" } } });
  const { id } = await say(ann, INPUT);
  await waitFor(async () =>
    expect(await rowsOf(ann, "SELECT reply_id FROM recordings")).toEqual([]),
  );
  await ask("PATCH", ann.path, { ...ann.call, json: { permission: { mode: "default" } } });
  await change(ann, { status: "suspended" });
  await rowsOf(
    ann,
    `INSERT INTO recordings (reply_id, is_of_user) VALUES ('${id}', 0)`,
    "INSERT INTO timers (kind, id, due_at) VALUES ('remember', 'session', 1)",
  );
  const look = async () => {
    await rowsOf(ann, "UPDATE timers SET due_at = 1 WHERE kind = 'remember'");
    await runInDurableObject(objectOf(ann), (_, { storage }) =>
      storage.setAlarm(Date.now() + 60_000),
    );
    await runDurableObjectAlarm(objectOf(ann));
  };
  await look();
  await waitFor(async () => {
    const [timer] = await rowsOf(ann, "SELECT due_at FROM timers WHERE kind = 'remember'");
    expect((timer as { due_at: number }).due_at).toBeGreaterThan(Date.now() + 5 * 60_000);
  });
  expect(await rowsOf(ann, "SELECT reply_id FROM recordings")).toEqual([{ reply_id: id }]);
  expect(await contentsOf(ann)).toEqual([]);

  await change(ann, { status: "active" });
  await look();
  expect(await recordingsOf(ann, 1)).toMatchObject([{ name: "memories_recorded", reply_id: id }]);
  expect(await contentsOf(ann)).toEqual(["The user has a dog."]);
});

// Rows of the outbox that an earlier version has written, and this one delivers.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { stableId } from "../../../storage/statements/stable-id.ts";
import { waitFor } from "../../support/wait-for.ts";
import { openSession } from "../support/api.ts";
import { makeEndpoint, readDeliveries } from "./endpoint.ts";

const AT = "2026-11-28T09:30:00.000Z";
const NEWS =
  '{"plan_id":"plan_1","plan_state":"todo","version":1,"subtasks":{"todo":2,"in_progress":0,"done":0,"abandoned":0}}';

test.each([
  ["of a reply", "rep_1", "rep_1"],
  ["of people between replies", "", null],
])("a change of the plans %s is announced as that version would have", async (_, row, shown) => {
  const { tenantId, session, agent, call } = await openSession({ name: "Desk", plan: {} });
  const endpoint = await makeEndpoint(call, { events: ["plan.updated"] });
  const object = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  await runInDurableObject(object, (_object, { storage }) => {
    storage.sql.exec(
      "INSERT INTO outbox (entry, reply_id, status, created_at, plan) VALUES (7, ?, 'completed', ?, ?)",
      row,
      AT,
      NEWS,
    );
    storage.sql.exec(
      "INSERT OR REPLACE INTO timers (kind, id, due_at) VALUES ('watch', 'session', 1)",
    );
  });
  await waitFor(async () => {
    await runDurableObjectAlarm(object);
    expect(await readDeliveries(call, endpoint.id)).toHaveLength(1);
  });

  const [delivery] = await readDeliveries(call, endpoint.id);
  expect(delivery).toMatchObject({
    message_id: await stableId("whm", Date.parse(AT), `${session.id}:7:plan.updated`),
    type: "plan.updated",
    payload: {
      type: "plan.updated",
      timestamp: AT,
      data: {
        session_id: session.id,
        agent_id: agent.id,
        agent_version: 1,
        end_user_id: null,
        reply_id: shown,
        cursor: 7,
        ...JSON.parse(NEWS),
      },
    },
  });
});

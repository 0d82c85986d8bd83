// As many callers as a tenant may have running replies, all of which call: each gives its place to the agent that it waits for.
import { expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, makeSession } from "../support/api.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";
import { begin, callHelper, openAgentDesk, readReply, resultTexts } from "./agent-desk.ts";

/** @param callers Replies that hold all places of the tenant before the first of them calls. */
async function flood(callers: number): Promise<void> {
  const gates = holdGates();
  const { call, tenantId, agentId } = await openAgentDesk();
  await changeTenant(tenantId, { quotas: { running_replies: callers } });
  const open = () => makeSession(call, { agent_id: agentId, end_user_id: crypto.randomUUID() });
  const sessions = await Promise.all(Array.from({ length: callers }, open));
  const late = await open();
  const input = `${GATE}\n${callHelper("/say Hi.")}\n/say So.`;
  const begun = await Promise.all(
    sessions.map(async (session) => ({ session, id: await begin({ call, session }, input) })),
  );
  await expect.poll(() => gates.waiting).toBe(callers);
  const path = `/v1/sessions/${late.id}/replies`;
  const full = await ask("POST", path, { ...call, json: { input: "/say Hello." } });
  expect([full.status, full.json.code]).toEqual([429, "quota_exceeded"]);

  gates.release();

  const left = [...begun];
  await waitFor(async () => {
    while (left.length > 0) {
      const { session, id } = left[0]!;
      const reply = await readReply(call, session.id, id);
      expect(reply.status).toBe("completed");
      expect(resultTexts(reply)).toEqual([["success", "Hi."]]);
      left.shift();
    }
  });
  await expect.poll(async () => (await readLimits(call)).used.running_replies).toBe(0);
}

test(
  "three callers that hold all three places for running replies all have their agents' answers",
  BROAD,
  () => flood(3),
);

test("so do two hundred that hold two hundred", BROAD, () => flood(200));

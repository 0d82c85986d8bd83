// Bounds of agents that calls call: how many, how deep, and for how many tokens.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { TenantLimits } from "../../../protocol/quotas/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { changeTenant } from "../support/tenant-use.ts";
import {
  agentTool,
  begin,
  calledBy,
  callHelper,
  childOf,
  endOf,
  giveResult,
  lastReplyOf,
  openAgentDesk,
  readReply,
  resultTexts,
  run,
  SCRIPTED,
  WAITING,
  waits,
  type AgentDesk,
} from "./agent-desk.ts";
import { BROAD } from "../../support/breadth.ts";

/** An agent that calls itself, under the name `helper`. */
async function openMirror(more: object = {}): Promise<AgentDesk> {
  const { id: tenantId, call } = await makeTenant();
  const { id } = await makeAgent(call, { name: "Mirror", model: SCRIPTED });
  const tools = [agentTool(id, more)];
  await ask("PATCH", `/v1/agents/${id}`, { ...call, json: { tools } });
  const session = await makeSession(call, { agent_id: id });
  return { call, tenantId, session, helperId: id, agentId: id };
}

/** The scripts of so many levels below the first one; each says what the next one has answered. */
function nested(levels: number): string {
  return levels === 0 ? "/say Deep." : `${callHelper(nested(levels - 1))}\n/say Up.`;
}

/** The number of sessions below this one, and the results of the deepest one that has called. */
async function depthBelow(call: Call, session: Pick<Session, "id">): Promise<number> {
  const [child] = await calledBy(call, session.id);
  return child ? 1 + (await depthBelow(call, child)) : 0;
}

describe("an agent that is at work already", () => {
  it("is not called again further down", async () => {
    const desk = await openMirror();
    const reply = await run(desk, nested(1));

    expect(resultTexts(reply)).toEqual([
      [
        "error",
        "agent_cycle: the agent of helper is at work already, further up. Do this task yourself.",
      ],
    ]);
    expect(await calledBy(desk.call, desk.session.id)).toEqual([]);
  });

  it("is called again where its tool allows it, three levels deep", async () => {
    const desk = await openMirror({ allow_recursion: true });
    await run(desk, nested(4));

    expect(await depthBelow(desk.call, desk.session)).toBe(3);
  });

  it.each([1, 8])("is called %i levels deep where its tool says so", BROAD, async (max_depth) => {
    const desk = await openMirror({ allow_recursion: true, max_depth });
    await run(desk, nested(max_depth + 1));

    expect(await depthBelow(desk.call, desk.session)).toBe(max_depth);
  });
});

describe("the tokens of a called agent", () => {
  const LOOP = "/call none {}\n/loop";

  it("are what the reply has left, in equal parts for the agents of its turn, and count for it", async () => {
    const budget = { max_tokens: 2_000 };
    const desk = await openAgentDesk({ helper: { max_iters: 100 }, desk: { budget } });
    const calls = [callHelper(LOOP), callHelper(LOOP)];
    const reply = await run(desk, `${calls.join("\n")}\n/say So.`);
    const used = reply.subagents?.map((one) => one.input_tokens + one.output_tokens) ?? [];

    expect(reply.error?.message).toBe("The reply has used as many tokens as it may.");
    expect(resultTexts(reply)).toEqual(
      [1, 2].map(() => [
        "error",
        "The agent has failed: The reply has used as many tokens as it may.",
      ]),
    );
    // A call of a model that is under way is not cut short.
    expect(used.every((tokens) => tokens >= 800 && tokens < 1_600)).toBe(true);
  });

  it("are its own budget where that is less", async () => {
    const desk = await openAgentDesk({ helper: { max_iters: 100, budget: { max_tokens: 300 } } });
    const reply = await run(desk, `${callHelper(LOOP)}\n/say So.`);
    const [used] = reply.subagents ?? [];

    expect(reply.status).toBe("completed");
    expect((used?.input_tokens ?? 0) + (used?.output_tokens ?? 0)).toBeLessThan(900);
  });
});

describe("the quotas of a tenant", () => {
  it("have a reply that waits for its agent count as none", async () => {
    const desk = await openAgentDesk();
    await changeTenant(desk.tenantId, { quotas: { running_replies: 1 } });
    const reply = await run(desk, `${callHelper("/say Hi.")}\n/say So.`);

    expect(resultTexts(reply)).toEqual([["success", "Hi."]]);
  });

  it("fail a call for whose session there is no room for a minute", async () => {
    const desk = await openAgentDesk();
    await changeTenant(desk.tenantId, { quotas: { sessions: 1 } });
    const id = await begin(desk, `${callHelper("/say Hi.")}\n/say So.`);
    const status = async () =>
      (await readReply(desk.call, desk.session.id, id)).subagents?.[0]?.status;
    await expect.poll(status).toBe("waiting");
    advanceClock(61_000);
    // Its timer may have been set for a time of the clock before.
    const object = env.SESSION.getByName(sessionObjectName(desk.tenantId, desk.session.id));
    await expect
      .poll(async () => {
        await runDurableObjectAlarm(object);
        return (await readReply(desk.call, desk.session.id, id)).status;
      })
      .toBe("completed");

    expect(resultTexts(await endOf(desk, id))).toEqual([
      ["error", "The agent was not called: the quota sessions has no room."],
    ]);
    expect(await calledBy(desk.call, desk.session.id)).toEqual([]);
  });

  it("call the agent as soon as there is room", BROAD, async () => {
    const desk = await openAgentDesk();
    await changeTenant(desk.tenantId, { quotas: { sessions: 1 } });
    const id = await begin(desk, `${callHelper("/say Hi.")}\n/say So.`);
    const status = async () =>
      (await readReply(desk.call, desk.session.id, id)).subagents?.[0]?.status;
    await expect.poll(status).toBe("waiting");
    await changeTenant(desk.tenantId, { quotas: { sessions: 2 } });

    expect(resultTexts(await endOf(desk, id))).toEqual([["success", "Hi."]]);
  });

  it("count the session of an agent for the tenant, and not in the share of its end user", async () => {
    const desk = await openAgentDesk();
    await run(desk, `${callHelper("/say Hi.")}\n/say So.`);
    const path = "/v1/limits?end_user_id=ada";
    const { json } = await ask<TenantLimits>("GET", path, desk.call);
    const child = await childOf(desk);
    const { usage } = await lastReplyOf(desk.call, child.id);

    expect(json.used.sessions).toBe(2);
    expect(json.end_user?.used.sessions).toBe(1);
    expect(usage?.input_tokens).toBeGreaterThan(0);
  });
});

test(
  "agents that have ended at the same time make room, each for one that waits",
  BROAD,
  async () => {
    const desk = await openAgentDesk({ helper: { tools: [WAITING] } });
    const { call, session, tenantId } = desk;
    const calls = Array.from({ length: 30 }, () => callHelper("/call refund {}\n/say Done."));
    const id = await begin(desk, [...calls, "/say All."].join("\n"));
    const statuses = async () =>
      (await readReply(call, session.id, id)).subagents?.map(({ status }) => status) ?? [];
    await expect
      .poll(async () => (await statuses()).filter((one) => one === "working").length)
      .toBe(16);
    const called = await calledBy(call, session.id);
    const first = await Promise.all(called.map((one) => waits(call, one.id)));
    const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
    // Their own looks are in an hour: those before them alone let them begin.
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec("UPDATE children SET look_at = look_at + 3600000 WHERE phase = 'queued'");
    });
    await Promise.all(first.map((one) => giveResult(call, one)));

    await expect.poll(statuses).not.toContain("waiting");
  },
);

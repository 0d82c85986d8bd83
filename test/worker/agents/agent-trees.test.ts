// A tree of agents in the middle of its work: interrupted, suspended, deleted, closed, and on machines that die.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent, makeSession, OPERATOR } from "../support/api.ts";
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
  readSession,
  resultTexts,
  SCRIPTED,
  WAITING,
  waits,
  type AgentDesk,
} from "./agent-desk.ts";
import { eventsOf, toldOf } from "./told-events.ts";
import { BROAD } from "../../support/breadth.ts";

interface Tree extends AgentDesk {
  /** The reply at the top. */
  readonly id: string;
  readonly middle: SessionSummary;
  /** Waits for the result of its call. */
  readonly below: Session;
}

const REFUND = "/call refund {}\n/say Refunded.";

/** An agent that has called one that has called one, which waits for a result. */
async function openTree(): Promise<Tree> {
  const desk = await openAgentDesk({ helper: { tools: [WAITING] } });
  const { call } = desk;
  const tools = [agentTool(desk.helperId)];
  const middleAgent = await makeAgent(call, { name: "Middle", model: SCRIPTED, tools });
  const top = [agentTool(middleAgent.id, { name: "middle" })];
  const agent = await makeAgent(call, { name: "Top", model: SCRIPTED, tools: top });
  const session = await makeSession(call, { agent_id: agent.id, end_user_id: "ada" });
  const opened = { ...desk, session };
  const script = callHelper(`${callHelper(REFUND)}\n/say Passed on.`, "middle");
  const id = await begin(opened, `${script}\n/say Thanks.`);
  const middle = await childOf(opened);
  const { id: belowId } = await childOf({ ...opened, session: middle });
  return { ...opened, id, middle, below: await waits(call, belowId) };
}

async function statusesOf({ call, session, middle, below }: Tree): Promise<readonly string[]> {
  const replies = await Promise.all(
    [session.id, middle.id, below.id].map((one) => lastReplyOf(call, one)),
  );
  return replies.map((reply: Reply) => reply.status);
}

describe("a tree of agents", () => {
  it("ends from below to the top when its question is answered", async () => {
    const tree = await openTree();
    await giveResult(tree.call, tree.below);
    const reply = await endOf(tree, tree.id);
    const { call, middle } = tree;

    expect(resultTexts(reply)).toEqual([["success", "Passed on."]]);
    expect(resultTexts(await lastReplyOf(call, middle.id))).toEqual([["success", "Refunded."]]);
    // Tokens of the lowest agent go up to the top.
    const own = (await lastReplyOf(call, middle.id)).usage;
    const lowest = (await lastReplyOf(call, tree.below.id)).usage;
    expect(reply.subagents?.[0]?.input_tokens).toBe(
      (own?.input_tokens ?? 0) + (lowest?.input_tokens ?? 0),
    );
  });

  it("is interrupted down to the lowest one, whose question then takes no answer", async () => {
    const tree = await openTree();
    const { call, session, below } = tree;
    await ask("POST", `/v1/sessions/${session.id}/interrupt`, call);
    await expect.poll(() => statusesOf(tree)).toEqual(Array(3).fill("interrupted"));
    const late = await giveResult(call, below);

    expect([late.status, late.json.code]).toEqual([409, "call_not_pending"]);
    expect((await readSession(call, below.id)).pending).toEqual([]);
    expect((await readReply(call, session.id, tree.id)).subagents?.[0]?.status).toBe("ended");
  });

  it("is stopped from the middle down when the middle is, and the top goes on", async () => {
    const tree = await openTree();
    await ask("POST", `/v1/sessions/${tree.middle.id}/interrupt`, tree.call);
    const reply = await endOf(tree, tree.id);
    await expect.poll(() => statusesOf(tree)).toEqual(["completed", "interrupted", "interrupted"]);

    expect(resultTexts(reply)[0]?.[0]).toBe("error");
  });

  it("begins nothing any more in a session whose call has ended", async () => {
    const tree = await openTree();
    const { call, session, below, tenantId } = tree;
    await ask("POST", `/v1/sessions/${session.id}/interrupt`, call);
    await expect.poll(() => statusesOf(tree)).toEqual(Array(3).fill("interrupted"));
    const stub = env.SESSION.getByName(sessionObjectName(tenantId, below.id));
    const message = { id: "msg_late", name: "user", role: "user", content: "Go", metadata: {} };
    const started = await stub.act("startCalled", { message } as never);

    expect(started).toMatchObject({ ok: false, refusal: { code: "conflict" } });
  });

  it("goes with the session at its top", async () => {
    const tree = await openTree();
    const { call, session, middle, below } = tree;
    const deleted = await ask("DELETE", `/v1/sessions/${session.id}`, call);
    const answers = await Promise.all(
      [session.id, middle.id, below.id].map((id) => ask("GET", `/v1/sessions/${id}`, call)),
    );
    const rows = await env.DB.prepare("SELECT count(*) AS count FROM sessions WHERE tenant_id = ?")
      .bind(tree.tenantId)
      .first();

    expect(deleted.status).toBe(204);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    // The desk's own, which nobody talked to.
    expect(rows).toEqual({ count: 1 });
  });

  it("gives its call an error where the session of the agent alone is deleted", async () => {
    const tree = await openTree();
    await ask("DELETE", `/v1/sessions/${tree.below.id}`, tree.call);
    // Nobody says so: the caller finds it with its next look, which the test asks for.
    const stub = env.SESSION.getByName(sessionObjectName(tree.tenantId, tree.middle.id));
    const { subagents } = await lastReplyOf(tree.call, tree.middle.id);
    await stub.act("noteCalled", { tool_call_id: subagents?.[0]?.tool_call_id ?? "" } as never);
    await endOf(tree, tree.id);

    expect(resultTexts(await lastReplyOf(tree.call, tree.middle.id))).toEqual([
      [
        "error",
        "The session of this agent was deleted before its answer was read. What it has done stays done.",
      ],
    ]);
  });

  it("waits on while its tenant is suspended, and ends when it is resumed", async () => {
    const tree = await openTree();
    await changeTenant(tree.tenantId, { status: "suspended" });
    const refused = await giveResult(tree.call, tree.below);
    await changeTenant(tree.tenantId, { status: "active" });
    const taken = await waits(tree.call, tree.below.id);
    await giveResult(tree.call, taken);

    expect(refused.status).toBe(403);
    expect(resultTexts(await endOf(tree, tree.id))).toEqual([["success", "Passed on."]]);
  });

  it("is interrupted where it runs when its tenant is suspended", async () => {
    const desk = await openAgentDesk();
    await begin(desk, `${callHelper("/rate 50\n/words 20000")}\n/say Thanks.`);
    const child = await childOf(desk);
    await expect
      .poll(async () => (await lastReplyOf(desk.call, child.id))?.message?.content.length ?? 0)
      .toBeGreaterThan(0);
    await changeTenant(desk.tenantId, { status: "suspended" });
    const stubs = [desk.session.id, child.id].map((id) =>
      env.SESSION.getByName(sessionObjectName(desk.tenantId, id)),
    );
    const statuses = async () =>
      Promise.all(
        stubs.map(async (stub) => {
          const page = await stub.act("listReplies", { limit: 1 } as never);
          return (page as unknown as { value: { data: Reply[] } }).value.data[0]?.status;
        }),
      );

    await expect.poll(statuses).toEqual(["interrupted", "interrupted"]);
  });

  it("is erased with its tenant", async () => {
    const tree = await openTree();
    await ask("DELETE", `/v1/tenants/${tree.tenantId}`, OPERATOR);
    const left = async () =>
      env.DB.prepare("SELECT count(*) AS count FROM sessions WHERE tenant_id = ?")
        .bind(tree.tenantId)
        .first();

    await expect.poll(left).toEqual({ count: 0 });
  });
});

describe("a machine that dies", () => {
  test("while a tree waits leaves it as it was", async () => {
    const tree = await openTree();
    await abortAllDurableObjects();
    await giveResult(tree.call, await waits(tree.call, tree.below.id));

    expect(resultTexts(await endOf(tree, tree.id))).toEqual([["success", "Passed on."]]);
    expect(await calledBy(tree.call, tree.session.id)).toHaveLength(1);
  });

  test(
    "at any time of a call leaves one session, one reply in it, and its answer as the result",
    BROAD,
    async () => {
      const desks = await Promise.all(Array.from({ length: 12 }, () => openAgentDesk()));
      const input = `${callHelper("/wait 20\n/say one")}\n/say Thanks.`;
      const begun = await Promise.all(
        desks.map(async (desk) => ({ desk, id: await begin(desk, input) })),
      );
      for (let death = 0; death < 4; death += 1) {
        await scheduler.wait(15);
        await abortAllDurableObjects();
        // A request wakes what its alarm would wake later.
        await Promise.all(begun.map(({ desk, id }) => readReply(desk.call, desk.session.id, id)));
      }
      const replies = await Promise.all(begun.map(({ desk, id }) => endOf(desk, id)));
      const children = await Promise.all(
        desks.map(({ call, session }) => calledBy(call, session.id)),
      );
      const counts = await Promise.all(
        children.map(async ([child], index) => {
          const path = `/v1/sessions/${child?.id}/replies`;
          return (await ask<{ data: unknown[] }>("GET", path, desks[index]!.call)).json.data.length;
        }),
      );

      expect(replies.map(resultTexts)).toEqual(desks.map(() => [["success", "one"]]));
      expect(children.map(({ length }) => length)).toEqual(desks.map(() => 1));
      expect(counts).toEqual(desks.map(() => 1));
    },
  );
});

test(
  "an agent that has ended before its caller knew that it had begun is looked at at once",
  BROAD,
  async () => {
    const desk = await openAgentDesk({ helper: { tools: [WAITING] } });
    const { call, session, tenantId } = desk;
    const id = await begin(desk, `${callHelper("/call refund {}\n/say Done.")}\n/say So.`);
    const child = await waits(call, (await childOf(desk)).id);
    const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
    const onRow = (statement: string) =>
      runInDurableObject(stub, (_, { storage }) =>
        storage.sql.exec<{ phase: string; look_at: number | null }>(statement).toArray(),
      );
    // As when the answer that it has begun was lost: it is begun again, and that is known there.
    await onRow("UPDATE children SET phase = 'starting', look_at = look_at + 3600000");
    await giveResult(call, child);
    await expect.poll(async () => (await lastReplyOf(call, child.id)).status).toBe("completed");
    await onRow("UPDATE children SET look_at = 0");
    await onRow("UPDATE timers SET due_at = 0 WHERE kind = 'children'");
    await runDurableObjectAlarm(stub);
    const told = async () => toldOf(await eventsOf(call, session.id), child.id).at(-1)?.type;
    await expect.poll(told).toBe("REPLY_END");
    const [row] = await onRow("SELECT phase, look_at FROM children");

    // By itself it would be looked at in fifteen seconds.
    expect((row?.look_at ?? 0) - Date.now()).toBeLessThan(10_000);
    expect(resultTexts(await endOf(desk, id))).toEqual([["success", "Done."]]);
  },
);

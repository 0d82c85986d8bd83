// The decisions of all sessions of a tenant, as a console lists them.
import { describe, expect, test } from "vitest";

import type { TenantDecision } from "../../../protocol/decisions/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Call } from "../support/api.ts";
import { ask, makeSession, refusalOf } from "../support/api.ts";
import {
  CANCEL,
  confirmation,
  DESK,
  LABEL,
  openParked,
  REFUND,
} from "../support/parked-session.ts";

async function listDecisions(call: Call, query = ""): Promise<Page<TenantDecision>> {
  return (await ask<Page<TenantDecision>>("GET", `/v1/decisions?${query}`, call)).json;
}

/** Waits until the sessions have told D1 of so many. */
async function decisionsOf(call: Call, count: number): Promise<readonly TenantDecision[]> {
  let data: readonly TenantDecision[] = [];
  await expect
    .poll(async () => {
      ({ data } = await listDecisions(call));
      return data.length;
    })
    .toBe(count);
  return data;
}

/** A question about two calls: one is refused with a reason, one allowed with another input. */
async function answerTwo() {
  const parked = await openParked(`${REFUND}\n${CANCEL}`);
  const { call, reply, pending, events } = parked;
  const [refund, cancel] = pending;
  const refused = confirmation(reply, [cancel!], { confirmed: false });
  const edited = {
    ...confirmation(reply, []),
    confirm_results: [
      { confirmed: true, tool_call: { ...refund!.tool_call, input: '{"order_id":"A-2"}' } },
    ],
  };
  for (const json of [{ ...refused, metadata: {} }, edited]) {
    const { status } = await ask("POST", events, { ...call, json });
    expect(status).toBe(202);
  }
  return { ...parked, refund: refund!.tool_call.id, cancel: cancel!.tool_call.id };
}

describe("the list of decisions", () => {
  test("has questions and answers, newest first, with who decided and without inputs", async () => {
    const { call, session, agent, reply, refund, cancel } = await answerTwo();

    const decisions = await decisionsOf(call, 4);

    const common = {
      session_id: session.id,
      agent_id: agent.id,
      end_user_id: null,
      reply_id: reply.id,
      seq: expect.any(Number) as number,
      decided_at: expect.any(String) as string,
      rule: null,
    };
    const key = { kind: "api_key", id: expect.stringMatching(/^key_/) as string };
    const platform = { kind: "platform", id: null };
    expect(decisions).toEqual([
      {
        ...common,
        tool_call_id: refund,
        tool_name: "refund_order",
        behavior: "allow",
        reason: null,
        decided_by: key,
        is_edited: true,
      },
      {
        ...common,
        tool_call_id: cancel,
        tool_name: "cancel_order",
        behavior: "deny",
        reason: null,
        decided_by: key,
        is_edited: false,
      },
      {
        ...common,
        tool_call_id: cancel,
        tool_name: "cancel_order",
        behavior: "ask",
        reason: "Mode: default",
        decided_by: platform,
        is_edited: false,
      },
      {
        ...common,
        tool_call_id: refund,
        tool_name: "refund_order",
        behavior: "ask",
        reason: "Mode: default",
        decided_by: platform,
        is_edited: false,
      },
    ]);
    expect(JSON.stringify(decisions)).not.toMatch(/A-1001|A-2|4200/);
  });

  test("has what a rule refused, with the rule, and not what was allowed without asking", async () => {
    const rule = {
      tool_name: "cancel_order",
      rule_content: null,
      behavior: "deny",
      source: "shop",
    };
    const { call } = await openParked(`${CANCEL}\n${LABEL}`, {
      ...DESK,
      permission: { rules: [rule] },
    });

    const decisions = await decisionsOf(call, 1);

    expect(decisions).toMatchObject([
      { behavior: "deny", rule, reason: "Rule: cancel_order", decided_by: { kind: "platform" } },
    ]);
  });

  test("is filtered by each member and by all at once, and goes on by pages", async () => {
    const { call, session, agent, cancel } = await answerTwo();
    const all = await decisionsOf(call, 4);
    const [newest, , oldest] = [all[0]!, all[1]!, all[3]!];
    const filters = [
      [`agent_id=${agent.id}`, 4],
      ["agent_id=agt_other", 0],
      [`session_id=${session.id}`, 4],
      ["session_id=ses_other", 0],
      ["tool_name=cancel_order", 2],
      ["behavior=ask", 2],
      ["behavior=deny", 1],
      ["decided_by=api_key", 2],
      ["decided_by=callback", 0],
      ["answered_by=me", 2],
      ["answered_by=others", 0],
      ["end_user_id=ann", 0],
      [`decided_before=${oldest.decided_at}`, 0],
      [`decided_after=${newest.decided_at}`, 1],
      [`tool_name=cancel_order&behavior=deny&decided_by=api_key&session_id=${session.id}`, 1],
    ] as const;

    const found = [];
    for (const [query] of filters)
      found.push([query, (await listDecisions(call, query)).data.length]);
    const pages: TenantDecision[] = [];
    for (let page = ""; ;) {
      const { data, next_page } = await listDecisions(call, `limit=1${page}`);
      pages.push(...data);
      if (next_page === null) break;
      page = `&page=${next_page}`;
    }

    expect(found).toEqual(filters.map(([query, count]) => [query, count]));
    expect(pages).toEqual(all);
    expect(pages.filter(({ tool_call_id }) => tool_call_id === cancel)).toHaveLength(2);
  });

  test("forgets a session with its deletion", async () => {
    const { call, path, agent } = await answerTwo();
    await decisionsOf(call, 4);
    const other = await makeSession(call, { agent_id: agent.id, end_user_id: "ann" });
    await ask("POST", `/v1/sessions/${other.id}/replies`, { ...call, json: { input: REFUND } });
    await decisionsOf(call, 5);

    const { status } = await ask("DELETE", path, call);

    const { data } = await listDecisions(call);
    expect([status, data.map(({ session_id, end_user_id }) => [session_id, end_user_id])]).toEqual([
      204,
      [[other.id, "ann"]],
    ]);
  });

  test("refuses what is no filter, by name", async () => {
    const { call } = await openParked();
    const queries = [
      "page=x",
      "behavior=maybe",
      "decided_by=me",
      "answered_by=all",
      "decided_after=today",
      "limit=0",
      "who=1",
    ];

    const refusals = [];
    for (const query of queries) {
      refusals.push(refusalOf(await ask("GET", `/v1/decisions?${query}`, call)));
    }

    expect(refusals).toEqual(
      queries.map((query) => ({
        status: 400,
        code: "validation_failed",
        pointers: [`#/query/${query.split("=")[0]}`],
      })),
    );
  });
});

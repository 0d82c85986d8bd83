// A recorded session on another version of its agent, through the door.
import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import { BROAD } from "../../support/breadth.ts";
import { says } from "../../support/fake-openai.ts";
import { request } from "../../support/platform-client.ts";
import { calls, confirm, openDesk, replay, say, type Desk } from "../../support/replayed-desk.ts";

const LOOK = ["look_up", { order_id: "A-1" }] as const;
const REFUND = ["refund", { order_id: "A-1" }] as const;

/** Everything of a session that anything could have changed. */
async function everythingOf({ key, session }: Pick<Desk, "key" | "session">) {
  const read = async (path: string) => {
    const { status, body } = await request("GET", `/v1/sessions/${session}${path}`, { key });
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  return {
    session: await read(""),
    events: await read("/events?limit=100"),
    messages: await read("/messages"),
    decisions: await read("/decisions"),
    rules: await read("/permission-rules"),
    state: await read("/shared-state"),
  };
}

async function publish({ key, agent }: Desk, changes: object): Promise<void> {
  const { status } = await request("PATCH", `/v1/agents/${agent}`, { key, body: changes });
  expect(status).toBe(200);
}

const APPROVED_REFUND = [
  calls(LOOK),
  calls(REFUND),
  says("Refunded."),
  // The replay.
  calls(LOOK),
  calls(REFUND),
  says("Refunded."),
];

async function recordRefund(turns = APPROVED_REFUND, overrides: object = {}) {
  const desk = await openDesk(turns, overrides);
  const reply = await say(desk, "Refund A-1");
  expect(reply.status).toBe("awaiting_permission");
  const done = await confirm(desk, reply, true);
  expect(done.status).toBe("completed");
  return { ...desk, reply: done };
}

describe("a replay", () => {
  test("answers tools and people from the record, and changes nothing", async () => {
    const desk = await recordRefund();
    const before = await everythingOf(desk);
    expect(desk.asked).toEqual(["/look_up", "/refund"]);

    const { status, body, headers } = await replay(desk);

    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(body).toMatchObject({
      agent_id: desk.agent,
      session_id: desk.session,
      version: 1,
      stopped: null,
      next_reply_id: null,
      summary: {
        replies: 1,
        answers_changed: 0,
        calls: { same: 2, changed: 0, new: 0, gone: 0 },
        approvals: { still_asked: 1, newly_asked: 0, skipped: 0, gone: 0 },
        recorded: { model_calls: 3, usage: { input_tokens: 50, output_tokens: 11 } },
        replayed: { model_calls: 3, usage: { input_tokens: 50, output_tokens: 11 } },
      },
      replies: [
        {
          reply_id: desk.reply.id,
          recorded: { status: "completed", agent_version: 1, text: "Refunded.", model_calls: 3 },
          replayed: { status: "completed", text: "Refunded.", error: null },
          answer_changed: false,
          calls: [
            { change: "same", tool_name: "look_up", answered: "recorded", approval: null },
            {
              change: "same",
              tool_name: "refund",
              answered: "recorded",
              state: "success",
              approval: "still_asked",
              approved_by: "recording",
            },
          ],
        },
      ],
    });
    expect(desk.asked).toEqual(["/look_up", "/refund"]);
    expect(await everythingOf(desk)).toEqual(before);
    // The model was told what the tools had said then.
    const told = desk.model.requests.slice(3).map(({ body: asked }) => JSON.stringify(asked));
    expect(told).toHaveLength(3);
    expect(told[2]).toContain('\\"path\\":\\"/look_up\\",\\"number\\":1');
    expect(told[2]).toContain('\\"path\\":\\"/refund\\",\\"number\\":2');
  });

  test("says which approvals a new version would skip, and runs a draft of it", BROAD, async () => {
    const desk = await recordRefund();
    const permission = {
      mode: "default",
      rules: [{ tool_name: "refund", behavior: "allow", rule_content: null, source: "agent" }],
    };

    const { status, body } = await replay(desk, {
      definition: { ...desk.definition, permission, system_prompt: "A draft." },
    });

    expect([status, body.version, body.stopped]).toEqual([200, null, null]);
    expect(body.summary.approvals).toEqual({ still_asked: 0, newly_asked: 0, skipped: 1, gone: 0 });
    expect(JSON.stringify(desk.model.requests[3]?.body)).toContain("A draft.");
    const versions = await request<Page<unknown>>("GET", `/v1/agents/${desk.agent}/versions`, desk);
    expect(versions.body.data).toHaveLength(1);
  });

  test("reports a newly asked approval and goes on as its request assumes", BROAD, async () => {
    const found = [calls(LOOK), says("Found.")];
    const desk = await openDesk([...found, calls(LOOK), ...found, ...found]);
    await say(desk, "Where is A-1?");
    const ask = [{ tool_name: "look_up", behavior: "ask", rule_content: null, source: "agent" }];
    await publish(desk, { permission: { mode: "default", rules: ask } });

    const stopped = await replay(desk);
    expect(stopped.body).toMatchObject({
      version: 2,
      stopped: {
        reason: "confirmation_required",
        tool_call: { tool_name: "look_up", input: '{"order_id":"A-1"}' },
      },
      replies: [
        {
          replayed: { status: "stopped" },
          calls: [{ answered: "not_answered", approval: "newly_asked", approved_by: null }],
        },
      ],
    });
    const denied = await replay(desk, { assume: "deny" });
    expect(denied.body).toMatchObject({
      stopped: null,
      replies: [{ calls: [{ answered: "assumed_denial", state: "denied" }] }],
    });
    const allowed = await replay(desk, { assume: "allow", version: 2 });
    expect(allowed.body).toMatchObject({
      stopped: null,
      replies: [
        {
          calls: [{ answered: "recorded", approval: "newly_asked", approved_by: "assumption" }],
        },
      ],
    });
    expect(desk.asked).toEqual(["/look_up"]);
  });

  test("stops at a call without a recorded result, and says which", async () => {
    const other = ["look_up", { order_id: "B-2" }] as const;
    const desk = await openDesk([
      calls(LOOK),
      says("Found."),
      says("Bye."),
      calls(other),
      says("never"),
    ]);
    const first = await say(desk, "Where is A-1?");
    await say(desk, "Thanks");

    const { body } = await replay(desk);

    expect(body.stopped).toMatchObject({
      reason: "no_recorded_result",
      reply_id: first.id,
      tool_call: { reply_id: first.id, tool_name: "look_up", input: '{"order_id":"B-2"}' },
    });
    expect(body.replies).toMatchObject([
      {
        replayed: { status: "stopped" },
        calls: [
          { change: "changed", recorded_input: '{"order_id":"A-1"}', answered: "not_answered" },
        ],
      },
    ]);
    expect(body.replies).toHaveLength(1);
    expect(desk.model.requests).toHaveLength(4);
    expect(desk.asked).toEqual(["/look_up"]);
  });
});

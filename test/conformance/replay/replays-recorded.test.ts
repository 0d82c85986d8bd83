// Replays of records that are not simple: edits, denials, rules, parallel calls, external results, forks, media,
// summaries, and parts of a session.
import { describe, expect, inject, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { says } from "../../support/fake-openai.ts";
import { request } from "../../support/platform-client.ts";
import {
  calls,
  confirm,
  ended,
  openDesk,
  replay,
  say,
  type Desk,
} from "../../support/replayed-desk.ts";

const look = (order_id: string) => ["look_up", { order_id }] as const;
const refund = (order_id: string) => ["refund", { order_id }] as const;

const sentBy = ({ model }: Desk, from: number): readonly string[] =>
  model.requests.slice(from).map(({ body }) => JSON.stringify(body));

describe("a person's answer", () => {
  test("with an edit is given again, and finds the result of the edited call", async () => {
    const turns = [calls(refund("A-1")), says("Done."), calls(refund("A-1")), says("Done.")];
    const desk = await openDesk(turns);
    const reply = await say(desk, "Refund A-1");
    await confirm(desk, reply, true, { input: '{"order_id":"A-2"}' });

    const { body } = await replay(desk);

    expect(body.stopped).toBe(null);
    expect(body.replies[0]?.calls).toMatchObject([
      {
        change: "same",
        input: '{"order_id":"A-1"}',
        recorded_input: '{"order_id":"A-1"}',
        answered: "recorded",
        approved_by: "recording",
      },
    ]);
    expect(sentBy(desk, 3)[0]).toContain('\\"path\\":\\"/refund\\"');
  });

  test("that was a denial is a denial again, with its reason", async () => {
    const desk = await openDesk([
      calls(refund("A-1")),
      says("Not refunded."),
      calls(refund("A-1")),
      says("Not refunded."),
    ]);
    const { key, session } = desk;
    const reply = await say(desk, "Refund A-1");
    const [call] = reply.pending;
    await request("POST", `/v1/sessions/${session}/events`, {
      key,
      body: {
        type: "USER_CONFIRM_RESULT",
        reply_id: reply.id,
        confirm_results: [
          { confirmed: false, tool_call: call?.tool_call, reason: "It is worn out." },
        ],
      },
    });
    await ended(desk, reply.id);

    const { body } = await replay(desk, { assume: "allow" });

    expect(body.stopped).toBe(null);
    expect(body.replies[0]?.calls).toMatchObject([
      { answered: "recorded_denial", state: "denied", approval: "still_asked" },
    ]);
    expect(sentBy(desk, 3)[0]).toContain("It is worn out.");
    expect(desk.asked).toEqual([]);
  });

  test("with a rule settles the calls of later replies, as it did then", BROAD, async () => {
    const turn = [calls(refund("A-1")), says("Done."), calls(refund("A-2")), says("Done.")];
    const desk = await openDesk([...turn, ...turn]);
    const reply = await say(desk, "Refund A-1");
    const { key, session } = desk;
    const rule = { tool_name: "refund", rule_content: null, behavior: "allow", source: "person" };
    await request("POST", `/v1/sessions/${session}/events`, {
      key,
      body: {
        type: "USER_CONFIRM_RESULT",
        reply_id: reply.id,
        confirm_results: [
          { confirmed: true, tool_call: reply.pending[0]?.tool_call, rules: [rule] },
        ],
      },
    });
    await ended(desk, reply.id);
    expect((await say(desk, "And A-2")).status).toBe("completed");

    const { body } = await replay(desk);

    expect(body.stopped).toBe(null);
    expect(body.summary).toMatchObject({
      calls: { same: 2 },
      approvals: { still_asked: 1, newly_asked: 0, skipped: 0 },
    });
  });
});

describe("recorded results", BROAD, () => {
  test("are found by tool and input, each once and then the last one again", async () => {
    const desk = await openDesk([
      // Two in parallel, in another order of members than the replay's, then one of them again.
      calls(look("A-1"), look("A-2")),
      calls(look("A-1")),
      says("Recorded."),
      calls(look("A-2"), look("A-1")),
      calls(look("A-1"), look("A-1")),
      says("Replayed."),
    ]);
    await say(desk, "Both, please");

    const { body } = await replay(desk);

    expect(body.stopped).toBe(null);
    const [reply] = body.replies;
    expect(reply?.answer_changed).toBe(true);
    expect(reply?.calls.map(({ change, answered }) => [change, answered])).toEqual([
      ["same", "recorded"],
      ["same", "recorded"],
      ["same", "recorded"],
      ["new", "repeated"],
    ]);
    const last = sentBy(desk, 3).at(-1) ?? "";
    expect(last.match(/\\"number\\":3/g)).toHaveLength(2);
    expect(desk.asked).toHaveLength(3);
  });

  test("of external systems are used, and no reply waits for one", async () => {
    const tool = {
      type: "external",
      name: "print_label",
      input_schema: { type: "object", properties: {} },
      read_only: true,
    };
    const desk = await openDesk(
      [calls(["print_label", {}]), says("Printed."), calls(["print_label", {}]), says("Printed.")],
      { tools: [tool] },
    );
    const { key, session } = desk;
    const reply = await say(desk, "Print it");
    expect(reply.status).toBe("awaiting_external_result");
    const call = reply.pending[0]?.tool_call;
    const execution_results = [
      {
        type: "tool_result",
        id: call?.id,
        name: call?.name,
        state: "success",
        output: [
          { type: "text", text: "label 4711" },
          {
            type: "data",
            source: { type: "base64", data: "iVBORw0KGgo=", media_type: "image/png" },
          },
        ],
      },
    ];
    const posted = await request("POST", `/v1/sessions/${session}/events`, {
      key,
      body: { type: "EXTERNAL_EXECUTION_RESULT", reply_id: reply.id, execution_results },
    });
    expect(posted.status).toBe(202);
    await ended(desk, reply.id);

    const { body } = await replay(desk);

    expect(body).toMatchObject({
      stopped: null,
      replies: [{ calls: [{ change: "same", answered: "recorded", state: "success" }] }],
    });
    expect(sentBy(desk, 3)[0]).toContain("label 4711");
  });
});

describe("a part of a session", () => {
  test("begins at a reply, with the record before it, and ends after so many", BROAD, async () => {
    const desk = await openDesk([says("One."), says("Two."), says("Three."), says("Two again.")]);
    await say(desk, "First question");
    const second = await say(desk, "Second question");
    const third = await say(desk, "Third question");

    const part = { from_reply_id: second.id, max_replies: 1 };
    const { body } = await replay(desk, part);

    expect(body.replies.map(({ reply_id, answer_changed }) => [reply_id, answer_changed])).toEqual([
      [second.id, true],
    ]);
    expect([body.stopped, body.next_reply_id]).toEqual([null, third.id]);
    const [asked = ""] = sentBy(desk, 3);
    expect(asked).toContain("First question");
    expect(asked).toContain("One.");
    expect(asked).toContain("Second question");
    expect(asked).not.toContain("Third question");
  });

  test("is all that a fork has of its own; what was copied is the record before it", async () => {
    const desk = await openDesk([
      calls(look("A-1")),
      says("Found."),
      says("In the fork."),
      says("Replayed."),
    ]);
    await say(desk, "Where is A-1?");
    const { key } = desk;
    const fork = await request<{ id: string }>("POST", `/v1/sessions/${desk.session}/fork`, {
      key,
      body: {},
    });
    const forked = { ...desk, session: fork.body.id };

    const none = await replay(forked);
    expect(none.body).toMatchObject({ replies: [], stopped: null, summary: { replies: 0 } });
    const own = await say(forked, "And now?");
    const { body } = await replay(forked);

    expect(body.replies.map(({ reply_id }) => reply_id)).toEqual([own.id]);
    expect(sentBy(desk, 3)[0]).toContain("Where is A-1?");
    expect(sentBy(desk, 3)[0]).toContain("/look_up");
  });

  test("ends before a reply that runs or waits", async () => {
    const desk = await openDesk([says("One."), calls(refund("A-1")), says("One.")]);
    const first = await say(desk, "First");
    const waiting = await say(desk, "Refund A-1");
    expect(waiting.status).toBe("awaiting_permission");

    const { body } = await replay(desk);
    expect(body.replies.map(({ reply_id }) => reply_id)).toEqual([first.id]);
    expect([body.stopped, body.next_reply_id]).toEqual([null, null]);

    const refused = await replay(desk, { from_reply_id: waiting.id });
    expect([refused.status, refused.body]).toMatchObject([409, { code: "conflict" }]);
  });
});

test("a recorded photo is sent to the model again", BROAD, async () => {
  const desk = await openDesk([says("Shoes."), says("Boots.")]);
  const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(400_000, 7)]);
  const uploaded = await fetch(`${inject("baseUrl")}/v1/files`, {
    method: "POST",
    headers: { Authorization: `Bearer ${desk.key}`, "Content-Type": "image/jpeg" },
    body: bytes,
  });
  const { url } = (await uploaded.json()) as { url: string };
  await say(desk, [
    { type: "text", text: "What is this?" },
    { type: "data", source: { type: "url", url, media_type: "image/jpeg" } },
  ]);
  const files = await request<{ data: unknown[] }>("GET", "/v1/files", { key: desk.key });

  const { body } = await replay(desk);

  expect(body).toMatchObject({ stopped: null, replies: [{ replayed: { text: "Boots." } }] });
  const sent = sentBy(desk, 0);
  expect(sent[1]?.includes(bytes.toString("base64").slice(0, 10_000))).toBe(true);
  expect(await request("GET", "/v1/files", { key: desk.key })).toMatchObject({ body: files.body });
});

test(
  "a session whose context was summarised is replayed from its beginning, and summarised anew in memory",
  BROAD,
  async () => {
    const long = "word ".repeat(360);
    const fields = {
      task_overview: "Sell lamps.",
      current_state: "One is sold.",
      important_discoveries: "None.",
      next_steps: "Ask.",
      context_to_preserve: "German.",
    };
    let summaries = 0;
    const desk = await openDesk(
      [
        (stream, received) => {
          const sent = JSON.stringify(received.body);
          const isSummary = sent.includes("about to be replaced by a summary");
          if (isSummary) summaries += 1;
          return says(isSummary ? JSON.stringify(fields) : "An answer.")(stream, received);
        },
      ],
      { tools: [], context: { context_size: 2_000, token_counter: "estimate" } },
    );
    await say(desk, `first ${long}`);
    await say(desk, `second ${long}`);
    await say(desk, `third ${long}${long}`);
    const fourth = await say(desk, "fourth");
    const made = summaries;
    expect(made).toBeGreaterThan(0);

    const { body } = await replay(desk);

    expect(body.stopped).toBe(null);
    expect(body.summary).toMatchObject({ replies: 4, answers_changed: 0 });
    expect(summaries).toBeGreaterThan(made);
    // A summary that a reply waited for is in its own usage, and has no known price.
    expect(body.replies[2]?.replayed.usage?.input_tokens).toBeGreaterThan(10);

    // A part begins with the summary that its first reply began with.
    const before = desk.model.requests.length;
    const part = await replay(desk, { from_reply_id: fourth.id });
    expect(part.body).toMatchObject({ stopped: null, summary: { replies: 1 } });
    const [asked = ""] = sentBy(desk, before);
    expect(asked).toContain("Sell lamps.");
    expect(asked).toContain("fourth");
    expect(asked).not.toContain("first word");
  },
);

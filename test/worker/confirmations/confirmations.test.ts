import { describe, expect, test } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type {
  Confirmation,
  ConfirmationOutcome,
} from "../../../protocol/confirmations/contract.ts";
import { MAX_BULK_ANSWERS } from "../../../protocol/confirmations/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { Call } from "../support/api.ts";
import { ask, makeSession, refusalOf } from "../support/api.ts";
import { confirmation, LABEL, openParked, REFUND } from "../support/parked-session.ts";

type Parked = Awaited<ReturnType<typeof openParked>>;

async function list(call: Call, query = ""): Promise<Page<Confirmation>> {
  return (await ask<Page<Confirmation>>("GET", `/v1/confirmations${query}`, call)).json;
}

/** The list once it has so many items: sessions tell D1 a moment after they have parked. */
function listed(call: Call, count: number): Promise<readonly Confirmation[]> {
  return waitFor(async () => {
    const { data } = await list(call);
    expect(data.length).toBe(count);
    return data;
  });
}

/** A second session of the same tenant that waits. */
async function parkBeside(parked: Parked, input: string): Promise<Parked> {
  const session = await makeSession(parked.call, {
    agent_id: parked.agent.id,
    end_user_id: "customer-17",
  });
  const path = `/v1/sessions/${session.id}`;
  const { json: reply } = await ask<Parked["reply"]>("POST", `${path}/replies`, {
    ...parked.call,
    json: { input },
  });
  return { ...parked, session, path, events: `${path}/events`, reply, pending: reply.pending };
}

function answer(call: Call, answers: readonly object[]) {
  return ask<{ data: readonly ConfirmationOutcome[] }>("POST", "/v1/confirmations", {
    ...call,
    json: { answers },
  });
}

function toOne({ session, reply, pending }: Parked, confirmed = true) {
  return { session_id: session.id, event: confirmation(reply, pending, { confirmed }) };
}

/** The members that tell outcomes apart. */
function essenceOf(outcome: ConfirmationOutcome) {
  return outcome.ok
    ? [outcome.session_id, outcome.applied]
    : [outcome.session_id, outcome.problem.code];
}

describe("GET /v1/confirmations", () => {
  test("lists what waits in every session, the oldest first, until it is answered", async () => {
    const refund = await openParked();
    await listed(refund.call, 1);
    const label = await parkBeside(refund, LABEL);

    const data = await listed(refund.call, 2);
    await ask("POST", `${refund.events}?stream=true`, {
      ...refund.call,
      json: confirmation(refund.reply, refund.pending),
    });

    expect(data).toEqual(
      [refund, label].map(({ session, reply, pending, agent }) => ({
        ...pending[0],
        session_id: session.id,
        reply_id: reply.id,
        agent_id: agent.id,
        end_user_id: session.end_user_id,
        tool_call_id: pending[0]!.tool_call.id,
        tool_name: pending[0]!.tool_call.name,
        asked_at: expect.stringMatching(/Z$/),
      })),
    );
    expect((await listed(refund.call, 1)).map(({ session_id }) => session_id)).toEqual([
      label.session.id,
    ]);
  });

  test("is narrowed by its query, and paged", async () => {
    const refund = await openParked();
    await listed(refund.call, 1);
    const label = await parkBeside(refund, LABEL);
    const [first, second] = await listed(refund.call, 2);

    const queries = [
      "?kind=external_result",
      "?kind=permission",
      "?end_user_id=customer-17",
      "?tool_name=refund_order",
      `?session_id=${label.session.id}`,
      `?agent_id=${refund.agent.id}&asked_after=${second!.asked_at}`,
      `?asked_before=${second!.asked_at}`,
      "?expires_before=2999-01-01T00:00:00.000Z",
      "?limit=1",
      `?limit=1&page=${(await list(refund.call, "?limit=1")).next_page}`,
    ];
    const found = [];
    for (const query of queries) {
      found.push((await list(refund.call, query)).data.map(({ session_id }) => session_id));
    }

    const [one, other] = [[first!.session_id], [second!.session_id]];
    expect(found).toEqual([other, one, other, one, other, other, one, one, one, other]);
  });

  test.each([
    ["#/query/page", "?page=nonsense"],
    ["#/query/kind", "?kind=all"],
    ["#/query/asked_after", "?asked_after=yesterday"],
    ["#/query/colour", "?colour=red"],
  ])("refuses %s", async (pointer, query) => {
    const { call } = await openParked();

    expect(refusalOf(await ask("GET", `/v1/confirmations${query}`, call))).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });
});

describe("POST /v1/confirmations", () => {
  test("answers in many sessions, each with an outcome of its own in its place", async () => {
    const [parked, stranger] = [await openParked(), await openParked()];
    const others = [await parkBeside(parked, REFUND), await parkBeside(parked, REFUND)];
    const [first, second] = others as [Parked, Parked];

    const { status, json } = await answer(parked.call, [
      toOne(stranger),
      toOne(first),
      { session_id: second.session.id, event: confirmation(first.reply, first.pending) },
      toOne(parked, false),
      { session_id: "nonsense", event: { type: "USER_INTERRUPT", reply_id: "rep_1" } },
      toOne(second),
    ]);

    expect([status, json.data.map(essenceOf)]).toEqual([
      200,
      [
        [stranger.session.id, "not_found"],
        [first.session.id, true],
        [second.session.id, "call_not_pending"],
        [parked.session.id, true],
        ["nonsense", "not_found"],
        [second.session.id, true],
      ],
    ]);
    expect(json.data[3]).toMatchObject({
      ok: true,
      cursor: parked.reply.cursor,
      reply: { id: parked.reply.id },
    });
    const untouched = await ask<Parked["reply"]>(
      "GET",
      `${stranger.path}/replies/${stranger.reply.id}`,
      stranger.call,
    );
    expect(untouched.json).toEqual(stranger.reply);
  });

  test("takes the answers to one session in their order", async () => {
    const parked = await openParked();
    const interrupt = { type: "USER_INTERRUPT", reply_id: parked.reply.id };

    const { json } = await answer(parked.call, [
      toOne(parked),
      toOne(parked, false),
      { session_id: parked.session.id, event: interrupt },
      toOne(parked),
    ]);

    expect(json.data.map(essenceOf).map(([, outcome]) => outcome)).toEqual([
      true,
      "confirmation_used",
      true,
      expect.toSatisfy((code) => ["confirmation_used", "call_not_pending"].includes(String(code))),
    ]);
  });

  test("shows the replies' messages as long as there is room", async () => {
    // Each small enough to stay in the message: larger data becomes a file.
    const large = `${`/data image/png ${"A".repeat(40_000)}\n`.repeat(10)}${REFUND}`;
    const first = await openParked(large);
    const [second, third] = [await parkBeside(first, large), await parkBeside(first, large)];

    const { json } = await answer(first.call, [toOne(first), toOne(second), toOne(third)]);

    const messages = json.data.map((outcome) => outcome.ok && outcome.reply?.message);
    expect(messages.filter((message) => message === null).length).toBe(1);
    expect(messages.filter(Boolean).length).toBe(2);
  });

  test("does nothing for a key that lacks the scope of one of the events", async () => {
    const parked = await openParked();
    const { json: narrow } = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...parked.call,
      json: { scopes: ["confirmations:write"] },
    });

    const refused = await answer({ key: narrow.api_key }, [
      toOne(parked),
      {
        session_id: parked.session.id,
        event: { type: "USER_INTERRUPT", reply_id: parked.reply.id },
      },
    ]);
    const reply = await ask("GET", `${parked.path}/replies/${parked.reply.id}`, parked.call);
    const taken = await answer({ key: narrow.api_key }, [toOne(parked)]);

    expect([refused.status, refused.json, reply.json, taken.json.data.map(essenceOf)]).toEqual([
      403,
      expect.objectContaining({ code: "insufficient_scope", required_scope: "replies:write" }),
      parked.reply,
      [[parked.session.id, true]],
    ]);
  });

  test("refuses a body that does not fit, with a pointer", async () => {
    const { call } = await openParked();
    const event = { type: "USER_INTERRUPT", reply_id: "rep_1" };
    const bodies: [string, object][] = [
      ["#/answers", { answers: [] }],
      [
        "#/answers",
        {
          answers: Array.from({ length: MAX_BULK_ANSWERS + 1 }, () => ({
            session_id: "ses_1",
            event,
          })),
        },
      ],
      ["#/answers/0/session_id", { answers: [{ event }] }],
      [
        "#/answers/1/event/type",
        {
          answers: [
            { session_id: "s", event },
            { session_id: "s", event: {} },
          ],
        },
      ],
      [
        "#/answers/0/event/colour",
        { answers: [{ session_id: "s", event: { ...event, colour: 1 } }] },
      ],
    ];

    const answers = [];
    for (const [, json] of bodies) {
      answers.push(await ask("POST", "/v1/confirmations", { ...call, json }));
    }

    expect(answers.map(refusalOf)).toEqual(
      bodies.map(([pointer]) => ({ status: 400, code: "validation_failed", pointers: [pointer] })),
    );
  });
});

import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { EventReceipt } from "../../../protocol/events/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { ask, openSession } from "../support/api.ts";
import {
  CANCEL,
  confirmation,
  externalResults,
  LABEL,
  openParked,
  REFUND,
} from "../support/parked-session.ts";

const STREAM = { Accept: "text/event-stream" };
type Parked = Awaited<ReturnType<typeof openParked>>;

/** The frames of an answer that is a stream. */
function eventsOf(text: string): LoggedEvent[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as LoggedEvent);
}

function post(parked: Parked, json: object, headers: Record<string, string> = {}) {
  return ask<EventReceipt>("POST", parked.events, { ...parked.call, json, headers });
}

/** Posts it and reads to the end of what follows. */
async function postThrough(parked: Parked, json: object) {
  const { status, text } = await post(parked, json, STREAM);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return eventsOf(text);
}

async function readReply({ path, reply, call }: Parked): Promise<Reply> {
  return (await ask<Reply>("GET", `${path}/replies/${reply.id}`, call)).json;
}

function resultsOf(reply: Reply) {
  return (reply.message?.content ?? []).filter((block) => block.type === "tool_result");
}

describe("POST …/events", () => {
  test("answers 202 with the reply as it goes on, from the position before the answer", async () => {
    const parked = await openParked();

    const { status, json } = await post(parked, confirmation(parked.reply, parked.pending));

    const { reply, cursor, applied } = json;
    const { json: page } = await ask<Page<LoggedEvent>>(
      "GET",
      `${parked.events}?after=${cursor}&limit=1`,
      parked.call,
    );
    expect({
      status,
      applied,
      cursor,
      reply: [reply?.id, reply?.status, reply?.pending],
      next: page.data.map(({ type, seq }) => [type, seq]),
    }).toEqual({
      status: 202,
      applied: true,
      cursor: parked.reply.cursor,
      reply: [parked.reply.id, "running", []],
      next: [["USER_CONFIRM_RESULT", parked.reply.cursor + 1]],
    });
  });

  test.each<[string, string, Record<string, string>]>([
    ["?stream=true", "?stream=true", {}],
    ["Accept: text/event-stream", "", STREAM],
  ])("with %s answers with what follows, up to the reply's end", async (_, query, headers) => {
    const parked = await openParked();
    const json = confirmation(parked.reply, parked.pending);

    const answer = await ask("POST", parked.events + query, { ...parked.call, json, headers });

    const events = eventsOf(answer.text);
    expect({
      status: answer.status,
      type: answer.headers.get("Content-Type"),
      named: answer.headers.get("Reprise-Reply-Id"),
      seqs: events.map(({ seq }) => seq),
      first: events[0]?.type,
      last: events.at(-1)?.type,
    }).toEqual({
      status: 200,
      type: "text/event-stream",
      named: parked.reply.id,
      seqs: events.map((_event, index) => parked.reply.cursor + 1 + index),
      first: "USER_CONFIRM_RESULT",
      last: "REPLY_END",
    });
  });

  test("?stream=false wins over the Accept header", async () => {
    const parked = await openParked();
    const json = confirmation(parked.reply, parked.pending);

    const { status, headers } = await ask("POST", `${parked.events}?stream=false`, {
      ...parked.call,
      json,
      headers: STREAM,
    });

    expect([status, headers.get("Content-Type")]).toEqual([202, "application/json"]);
  });

  test("takes a yes or a no with no more of the call than its id", async () => {
    const parked = await openParked(`${REFUND}\n${CANCEL}`);
    const [yes, no] = parked.pending.map(({ tool_call }) => tool_call.id);

    const events = await postThrough(parked, {
      type: "USER_CONFIRM_RESULT",
      reply_id: parked.reply.id,
      confirm_results: [
        { confirmed: true, tool_call: { id: yes } },
        { confirmed: false, tool_call: { id: no } },
      ],
    });

    const [logged] = events;
    expect(
      logged?.type === "USER_CONFIRM_RESULT" &&
        logged.confirm_results.map(({ confirmed, tool_call: { name, input } }) => [
          confirmed,
          name,
          input,
        ]),
    ).toEqual(
      parked.pending.map(({ tool_call: { id, name, input } }) => [id === yes, name, input]),
    );
    expect(resultsOf(await readReply(parked)).map(({ id, state }) => [id, state])).toEqual(
      expect.arrayContaining([
        [yes, "error"],
        [no, "denied"],
      ]),
    );
  });

  test("an edit is what runs, and what the message shows", async () => {
    const parked = await openParked();
    const [call] = parked.pending;
    const input = '{"order_id":"A-1001","amount_cents":2100}';

    const events = await postThrough(parked, {
      type: "USER_CONFIRM_RESULT",
      reply_id: parked.reply.id,
      confirm_results: [{ confirmed: true, tool_call: { id: call!.tool_call.id, input } }],
    });

    const reply = await readReply(parked);
    const shown = reply.message?.content.find((block) => block.type === "tool_call");
    const end = events.find(({ type }) => type === "TOOL_RESULT_END");
    expect({
      types: events.slice(0, 3).map(({ type }) => type),
      shown: shown?.input,
      original: end?.metadata["original_input"],
    }).toEqual({
      types: ["USER_CONFIRM_RESULT", "CUSTOM", "TOOL_RESULT_START"],
      shown: input,
      original: call!.tool_call.input,
    });
  });

  test("the names of older documents are taken", async () => {
    const [confirmed, executed] = [await openParked(), await openParked(LABEL)];
    const { id, name } = confirmed.pending[0]!.tool_call;
    const label = executed.pending[0]!.tool_call;

    const answers = [
      await post(confirmed, {
        type: "USER_CONFIRM_RESULT",
        replyId: confirmed.reply.id,
        createdAt: "2026-11-21T10:00:00.000Z",
        confirmResults: [
          {
            confirmed: true,
            toolCall: {
              type: "tool_use",
              id,
              name,
              input: { order_id: "A-1001", amount_cents: 4200 },
            },
            rules: [{ toolName: name, ruleContent: null, behavior: "ALLOW", source: "suggested" }],
          },
        ],
      }),
      await post(executed, {
        type: "EXTERNAL_EXECUTION_RESULT",
        replyId: executed.reply.id,
        executionResults: [
          {
            id: label.id,
            state: "SUCCESS",
            output: [
              {
                type: "image",
                source: { type: "url", url: "https://shop.example/l.png", mediaType: "image/png" },
              },
            ],
          },
        ],
      }),
    ];

    expect(answers.map(({ status, json }) => [status, json.applied])).toEqual([
      [202, true],
      [202, true],
    ]);
  });

  test("an external result may be a text, blocks or an error, and each call's comes when it comes", async () => {
    const parked = await openParked(`${LABEL}\n${LABEL}`);
    const [first, second] = parked.pending;
    const picture = {
      type: "data",
      name: "label.png",
      source: { type: "base64", media_type: "image/png", data: "aGk=" },
    };

    await postThrough(
      parked,
      externalResults(parked.reply, [first!], [{ type: "text", text: "Here:" }, picture]),
    );
    const partly = await readReply(parked);
    await postThrough(parked, {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: parked.reply.id,
      execution_results: [{ id: second!.tool_call.id, output: "No paper", state: "error" }],
    });

    const reply = await readReply(parked);
    expect({
      partly: [partly.status, partly.pending.map(({ tool_call }) => tool_call.id)],
      status: reply.status,
      results: resultsOf(reply).map(({ id, state, output }) => [
        id,
        state,
        typeof output === "string" ? output : output.map(({ type }) => type),
      ]),
    }).toEqual({
      partly: ["awaiting_external_result", [second!.tool_call.id]],
      status: "completed",
      results: [
        [first!.tool_call.id, "success", ["text", "data"]],
        [second!.tool_call.id, "error", ["text"]],
      ],
    });
  });

  test("a rule that was suggested settles the other calls that it covers, and later ones", async () => {
    const parked = await openParked(`${REFUND}\n/say Then another.\n${REFUND}`);
    const [call] = parked.pending;

    const events = await postThrough(
      parked,
      confirmation(parked.reply, [call!], { rules: call!.suggested_rules }),
    );

    const rules = await ask<Page<object>>("GET", `${parked.path}/permission-rules`, parked.call);
    expect(events.filter(({ type }) => type === "REQUIRE_USER_CONFIRM")).toEqual([]);
    expect(rules.json.data).toMatchObject([
      { tool_name: "refund_order", rule_content: null, behavior: "allow", scope: "session" },
    ]);
  });

  test("an interrupt ends the reply that waits, and finds nothing the second time", async () => {
    const parked = await openParked();
    const json = { type: "USER_INTERRUPT", reply_id: parked.reply.id };

    const first = await post(parked, json);
    const second = await post(parked, json);

    const { json: session } = await ask<Session>("GET", parked.path, parked.call);
    expect([
      [first.status, first.json.applied, first.json.reply?.status],
      [second.status, second.json.applied, second.json.reply?.status],
      [session.status, session.pending],
    ]).toEqual([
      [202, true, "interrupted"],
      [202, false, "interrupted"],
      ["idle", []],
    ]);
  });

  test("an interrupt where nothing ever ran is accepted, and streams nothing", async () => {
    const { path, call } = await openSession();
    const json = { type: "USER_INTERRUPT", reply_id: "rep_1" };

    const receipt = await ask("POST", `${path}/events`, { ...call, json });
    const stream = await ask("POST", `${path}/events`, { ...call, json, headers: STREAM });

    expect([receipt.status, receipt.json, stream.status, stream.text]).toEqual([
      202,
      { reply: null, cursor: 0, applied: false },
      204,
      "",
    ]);
  });
});

describe("an answer that is given twice", () => {
  test("of two that race and say the same, one is applied and the tool runs once", async () => {
    const parked = await openParked();
    const json = confirmation(parked.reply, parked.pending);

    const answers = await Promise.all([post(parked, json), post(parked, json)]);
    const { text } = await ask("GET", `${parked.events}?after=${parked.reply.cursor}`, {
      ...parked.call,
      headers: STREAM,
    });

    const starts = eventsOf(text).filter(({ type }) => type === "TOOL_RESULT_START");
    // The second may come when the tool is through: then the confirmation is used, by the same words.
    const fates = answers.map(({ json: { applied, ...rest } }) =>
      applied === true ? "applied" : (applied ?? (rest as { same_answer?: boolean }).same_answer),
    );
    expect(fates.filter((fate) => fate === "applied").length).toBe(1);
    expect(fates.filter((fate) => fate === undefined)).toEqual([]);
    expect(starts.length).toBe(1);
  });

  test("of two that race and differ, one wins and the other is told so", async () => {
    const parked = await openParked();

    const answers = await Promise.all(
      [true, false].map((confirmed) =>
        post(parked, confirmation(parked.reply, parked.pending, { confirmed })),
      ),
    );

    const codes = answers.map(({ status, json }) => [status, (json as { code?: string }).code]);
    expect(codes.sort()).toEqual([
      [202, undefined],
      [409, "confirmation_used"],
    ]);
  });

  test("a yes with the id alone is a yes to what was asked about, also after somebody's edit", async () => {
    const input = '{"order_id":"A-1001","amount_cents":2100}';
    const seen = [];
    for (const changes of [{}, { input }]) {
      // The other call goes on waiting, so the reply stays open.
      const parked = await openParked(`${REFUND}\n${CANCEL}`);
      const yes = (written: object) => ({
        ...confirmation(parked.reply, []),
        confirm_results: [
          { confirmed: true, tool_call: { id: parked.pending[0]!.tool_call.id, ...written } },
        ],
      });
      await postThrough(parked, yes(changes));
      for (const again of [yes({}), yes({ input })]) {
        const { json } = await ask("POST", parked.events, { ...parked.call, json: again });
        seen.push([json.code, json["same_answer"]]);
      }
    }

    expect(seen).toEqual([
      ["confirmation_used", true],
      ["confirmation_used", false],
      ["confirmation_used", false],
      ["confirmation_used", true],
    ]);
  });
});

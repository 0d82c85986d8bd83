import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { Observed } from "../../../protocol/sessions/observe.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { ask, openSession, refusalOf, type Call } from "../support/api.ts";

const SLOW = { provider: "scripted", parameters: { tokens_per_second: 5 } };
const NOTE = { id: "note-1", name: "shop", content: "The order is A-1001." };

function observe(path: string, call: Call, messages: unknown) {
  return ask<Observed>("POST", `${path}/observe`, { ...call, json: { messages } });
}

async function textsOf(path: string, call: Call): Promise<(string | null)[]> {
  const { json } = await ask<Page<Msg>>("GET", `${path}/messages`, call);
  return json.data.map((message) => getTextContent(message));
}

describe("observed messages", () => {
  test("join the conversation in order without a reply, in one row of the log", async () => {
    const { call, path } = await openSession();

    const { status, json } = await observe(path, call, [
      NOTE,
      { role: "assistant", content: [{ type: "text", text: "Noted." }] },
    ]);

    const events = await ask<Page<LoggedEvent>>("GET", `${path}/events`, call);
    const replies = await ask<Page<Reply>>("GET", `${path}/replies`, call);
    expect([status, json.messages.map(({ role, name }) => [role, name]), json.cursor]).toEqual([
      201,
      [
        ["user", "shop"],
        ["assistant", "user"],
      ],
      2,
    ]);
    expect(await textsOf(path, call)).toEqual(["The order is A-1001.", "Noted."]);
    expect(events.json.data.map((event) => [event.seq, event.type])).toEqual([
      [1, "CUSTOM"],
      [2, "CUSTOM"],
    ]);
    expect(replies.json.data).toEqual([]);
  });

  test("are in the conversation before the next reply", async () => {
    const { call, path } = await openSession();
    await observe(path, call, NOTE);

    const reply = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: "/say You are welcome." },
    });

    expect(reply.json.status).toBe("completed");
    expect(await textsOf(path, call)).toEqual([
      "The order is A-1001.",
      "/say You are welcome.",
      "You are welcome.",
    ]);
  });

  test("count once for an id with the same content, and are refused with another", async () => {
    const { call, path } = await openSession();
    const first = await observe(path, call, NOTE);

    const again = await observe(path, call, [NOTE, { id: "note-2", content: "More." }]);
    const other = await ask("POST", `${path}/observe`, {
      ...call,
      json: { messages: [{ ...NOTE, content: "Another." }] },
    });

    expect(first.json.messages[0]).toEqual(again.json.messages[0]);
    expect(await textsOf(path, call)).toEqual(["The order is A-1001.", "More."]);
    expect(refusalOf(other)).toEqual({
      status: 409,
      code: "message_conflict",
      pointers: ["#/messages/0/id"],
    });
  });

  test("sent as a reply's input start one reply, however often they are sent", async () => {
    const { call, path } = await openSession();
    await observe(path, call, NOTE);

    const first = await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input: NOTE } });
    const again = await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input: NOTE } });

    expect(again.json).toEqual(first.json);
    expect((await textsOf(path, call)).length).toBe(2);
  });

  test("are refused while a reply runs, and one that is there already is not new", async () => {
    const { call, path } = await openSession({ name: "Slow", model: SLOW });
    await observe(path, call, NOTE);
    const json = { input: "Hello", background: true };
    const reply = await ask<Reply>("POST", `${path}/replies`, { ...call, json });

    const refused = await ask("POST", `${path}/observe`, { ...call, json: { messages: "Hi" } });
    const known = await observe(path, call, NOTE);

    expect([refusalOf(refused), refused.json["reply_id"], known.status]).toEqual([
      { status: 409, code: "reply_running", pointers: undefined },
      reply.json.id,
      201,
    ]);
    await ask("POST", `${path}/interrupt`, call);
  });

  test.each<[string, unknown, string]>([
    ["a system message", [{ role: "system", content: "Obey." }], "#/messages/0/role"],
    ["nothing", [], "#/messages"],
    ["an empty text", "", "#/messages"],
  ])("refuse %s", async (_, messages, pointer) => {
    const { call, path } = await openSession();

    const answer = await ask("POST", `${path}/observe`, { ...call, json: { messages } });

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
  });
});

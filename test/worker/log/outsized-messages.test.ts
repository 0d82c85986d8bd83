/** @module-tag broad */
// Messages that are too large for an answer: stored by a version that had no bound, or as large as a reply may be.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";

import { MessageTable } from "../../../durable-objects/tables/message-table.ts";
import { readHistory } from "../../../durable-objects/context/read-history.ts";
import { viewSession } from "../../../durable-objects/replies/reply-view.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { readMessage as readOne } from "../../../durable-objects/sessions/session-pages.ts";
import { AssistantMsg } from "../../../protocol/messages/constructors.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import {
  MAX_SHOWN_INPUT_CHARACTERS,
  MAX_SHOWN_MESSAGE_BYTES,
} from "../../../protocol/requests/limits.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { MsgSchema } from "../../../protocol/messages/messages.ts";
import { omittedOf } from "../../../protocol/messages/omitted.ts";
import type { StoredMessage } from "../../../protocol/sessions/contract.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import { answerOf } from "./read-frames.ts";
import {
  createdSession,
  listMessages,
  listReplies,
  objectOf,
  readMessage,
  readReply,
  readState,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

/** Three bytes for each unit, and no Latin letter: as RPC counts two for each. */
const OUTSIZED = "鯨".repeat(14_000_000);

interface Outsized {
  readonly init: SessionInit;
  /** The reply whose message it is; another one follows. */
  readonly first: Reply;
  readonly second: Reply;
  readonly message: Msg;
}

/** A session as it was left by a version that did not know how to show its first answer. */
async function outsizedSession(content = OUTSIZED): Promise<Outsized> {
  const init = await createdSession();
  const first = await reply(init, "/say one");
  const second = await reply(init, "/say two");
  const message = { ...AssistantMsg({ ...first.message!, content }), usage: first.usage };
  await runInDurableObject(objectOf(init), (_, { storage }) => {
    const table = new MessageTable(storage.sql);
    const place = table.findPlace(first.id)!;
    table.put({ ...place, reply_id: first.id, message });
    storage.sql.exec("DELETE FROM parts WHERE owner = 'outline'");
  });
  return { init, first, second, message };
}

function gapOf(message: Msg): Msg {
  const bytes = expect.any(Number) as number;
  return { ...message, content: [], metadata: { omitted: { bytes } } };
}

describe("a message of 42 MB", () => {
  it("is a gap in lists, in its reply and in the state, and whole by itself", async () => {
    const { init, first, second, message } = await outsizedSession();
    const gap = gapOf(message);

    const page = valueOf(await listMessages(init, { limit: 10 }));
    const state = valueOf(await readState(init));
    const replies = valueOf(await listReplies(init, { limit: 10 }));
    const alone = await readReply(init, first.id);
    const whole = valueOf(await readMessage(init, first.id));

    expect(page.data.map(({ id, content }) => [id, content.length])).toEqual([
      [expect.any(String), 1],
      [first.id, 0],
      [expect.any(String), 1],
      [second.id, 1],
    ]);
    expect(page.data[1]).toEqual(gap);
    expect(MsgSchema.parse(page.data[1])).toEqual(page.data[1]);
    expect(state.context[1]).toEqual(gap);
    expect(replies.data[1]).toEqual({ ...first, message: gap });
    expect(alone).toEqual({ ...first, message: gap });
    expect(omittedOf(alone.message!)!.bytes).toBeGreaterThan(3 * OUTSIZED.length);
    expect(whole.message.content).toHaveLength(1);
    expect(JSON.stringify(whole.message) === JSON.stringify(message)).toBe(true);
  });

  it("is no part of a fork, which names it, and a fork before it is made", async () => {
    const { init, first } = await outsizedSession();
    const page = valueOf(await listMessages(init, { limit: 10 }));

    const refused = await stubOf(init).act("readForkSource");
    const before = await stubOf(init).act("readForkSource", page.data[0]!.id);

    expect(refused).toEqual({
      ok: false,
      refusal: {
        code: "message_too_large",
        detail: `message ${first.id} is too large to be copied; give \`at\` a message before it`,
        extensions: { message_id: first.id },
      },
    });
    expect(before).toMatchObject({ ok: true, value: { message_id: page.data[0]!.id } });
  });

  it("is not what a model is told, and the session takes replies", async () => {
    const { init, second } = await outsizedSession();

    const third = await reply(init, "/say three");
    const told = await runInDurableObject(objectOf(init), (_, { storage }) => {
      const table = new MessageTable(storage.sql);
      return readHistory(table, { below: table.findPlace(third.id)!.position });
    });

    expect([third.status, told.messages.map(({ content }) => content.length)]).toEqual([
      "completed",
      [1, 1, 1],
    ]);
    expect(told.messages[1]?.id).toBe(second.id);
  });
});

it("a message of the size that lists show is shown", async () => {
  const { init, message } = await outsizedSession("x".repeat(MAX_SHOWN_MESSAGE_BYTES - 1_000));

  const newest = valueOf(await listMessages(init, { limit: 2 }));
  const { data } = valueOf(await listMessages(init, { limit: 1, page: newest.next_page! }));
  const alone = await readReply(init, message.id);

  const shown = [data[0], alone.message].map((each) => JSON.stringify(each));
  expect(shown.map((each) => each === JSON.stringify(message))).toEqual([true, true]);
});

describe("a reply that grows beyond what is shown", () => {
  it("is shown without its content, and is interrupted as any other", async () => {
    const spy = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => new Response("x".repeat(5_500_000)));
    const [dump, refund] = ["dump", "refund"].map((name) => {
      const url = `https://tools.example/${name}`;
      return { type: "http", name, url, read_only: name === "dump", max_bytes: 8_000_000 };
    });
    const init = await createdSession({ tools: [dump, refund] });
    const waiting = await reply(init, "/call dump {}\n/call dump {}\n/call refund {}\n/say no");
    spy.mockRestore();

    const listed = valueOf(await listReplies(init, { limit: 5 })).data[0];
    const whole = valueOf(await readMessage(init, waiting.id)).message;
    const interrupted = valueOf(await stubOf(init).act("interrupt", {}));

    expect([waiting.status, waiting.message?.content, waiting.pending.length]).toEqual([
      "awaiting_permission",
      [],
      1,
    ]);
    expect(listed).toEqual(waiting);
    expect(JSON.stringify(whole).length).toBeGreaterThan(11_000_000);
    expect(interrupted.reply).toMatchObject({ status: "interrupted", pending: [] });
    expect(omittedOf(interrupted.reply!.message!)).not.toBeNull();
  });
});

it("a call that waits is shown without an input for which there is no room", () =>
  withHeldSession({}, async ({ session }) => {
    valueOf(await session.queue.start({ input: "/wait 600000", on_busy: "reject" }));
    const reply_id = session.openReply!.id;
    const input = JSON.stringify({ note: "é".repeat(MAX_SHOWN_INPUT_CHARACTERS) });
    const call = { type: "tool_call", id: "call_1", name: "refund", input } as const;
    const block = { ...call, state: "asking", created_at: "T", finished_at: "T" } as const;
    const named = { reply_id, tool_call_id: call.id };
    session.log.append([
      { type: "TOOL_CALL_START", ...named, tool_call_name: call.name },
      { type: "TOOL_CALL_DELTA", ...named, delta: input },
      { type: "TOOL_CALL_END", ...named },
      {
        type: "REQUIRE_USER_CONFIRM",
        reply_id,
        tool_calls: [{ ...block, suggested_rules: [] }],
      },
    ]);
    await session.log.settled();

    const { pending } = viewSession(session.init, session);
    const busy = await session.queue.start({ input: "/say no", on_busy: "reject" });
    const { message } = answerOf<StoredMessage>(await readOne(session, reply_id));
    await session.runner.interrupt();

    expect(
      pending.map(({ tool_call, omitted }) => [tool_call.id, tool_call.input, omitted]),
    ).toEqual([[call.id, "", { bytes: input.length + MAX_SHOWN_INPUT_CHARACTERS }]]);
    expect(busy).toMatchObject({ ok: false, refusal: { extensions: { pending } } });
    const inputs = message.content.map((each) => each.type === "tool_call" && each.input === input);
    expect(inputs).toEqual([true]);
  }));

it("a reply that is asked for again is answered, however large its message is", async () => {
  const { init, first } = await outsizedSession();
  const started = await startReply(init, "/say more");
  await readReply(init, started.id, 10_000);

  const { message, ...shown } = await readReply(init, first.id, 1_000);

  expect(shown).toEqual({ ...first, message: undefined });
  expect(omittedOf(message!)).not.toBeNull();
});

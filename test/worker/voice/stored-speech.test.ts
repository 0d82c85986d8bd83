// Speech in stored messages: what answers, the next reply and the next object have of it.
import { expect, it } from "vitest";

import { readContext } from "../../../durable-objects/context/read-context.ts";
import { addMessages } from "../../../durable-objects/sessions/add-messages.ts";
import { readForkMessages, readForkSource } from "../../../durable-objects/sessions/fork-source.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import { listMessages } from "../../../durable-objects/sessions/session-pages.ts";
import { changeMessage } from "../../../durable-objects/voice/change-message.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import type { MessagePage } from "../../../protocol/sessions/contract.ts";
import { spokenMessage, transcribed, truncated } from "../../support/voice/spoken-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { answerOf } from "../log/read-frames.ts";
import { wokenSession, withHeldSession } from "../sessions/held-session.ts";
import { valueOf } from "../sessions/session.ts";
import { DESK, REFUND } from "../support/parked-session.ts";

function textsOf(messages: readonly Msg[]): string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "text" ? [block.text] : [])),
  );
}

/** Texts of the list of messages, and of what the next model is sent. */
async function readTexts(session: OpenSession): Promise<readonly [string[], string[]]> {
  const page = answerOf<MessagePage>(await listMessages(session, { limit: 100 }));
  const below = session.log.lastSeq + 1;
  const { history } = await readContext(session.tables, session.init.agent, { below });
  return [textsOf(page.data as readonly Msg[]), textsOf(history)];
}

async function append(session: OpenSession, ...events: readonly object[]): Promise<void> {
  session.log.append(events as readonly EventDraft[], { isLast: true });
  await session.log.settled();
}

/** The texts of a fork at a message, at a seq, or at the end. */
async function forkedTexts(session: OpenSession, at?: string | number): Promise<string[]> {
  const { cursor } = valueOf(await readForkSource(session, at));
  return textsOf(valueOf(readForkMessages(session, 0, cursor)).messages);
}

/** A reply that has said `words` and has ended, or waits. */
async function said(session: OpenSession, input: string): Promise<{ id: string; block: string }> {
  const { id } = valueOf(await session.queue.start({ input, on_busy: "reject" }));
  await waitFor(() => expect(session.isRunning).toBe(false));
  await session.log.settled();
  const message = session.findMessage(id)?.message;
  return { id, block: message?.content.find(({ type }) => type === "text")?.id ?? "" };
}

it("words that come later are in the stored message, and in its metadata, for the next object too", () =>
  withHeldSession({}, async ({ session, state }) => {
    addMessages(session, [spokenMessage("m1"), spokenMessage("m2")]);
    await append(session, transcribed("m1", "Where are my shoes?"));

    expect(await readTexts(session)).toEqual([
      ["Where are my shoes?", ""],
      ["Where are my shoes?", ""],
    ]);
    const next = await wokenSession(state, session.init);
    expect(next.tables.messages.find("m1")).toMatchObject({
      cursor: 1,
      position: 1,
      reply_id: null,
      message: {
        ...spokenMessage("m1", "Where are my shoes?", "transcribed"),
        usage: { input_tokens: 0, output_tokens: 0, audio: { input_ms: 1_200 } },
      },
    });
  }));

it("an answer that has ended is what was heard of it", () =>
  withHeldSession({}, async ({ session }) => {
    const { id, block } = await said(session, "/say Your shoes are on their way.");
    const end = session.log.lastSeq;
    await append(session, truncated(id, block, "Your shoes"));

    const shown = ["/say Your shoes are on their way.", "Your shoes"];
    expect(await readTexts(session)).toEqual([shown, shown]);
    expect(session.tables.messages.find(id)?.cursor).toBe(end);
  }));

it("an answer that was interrupted is what was heard of it", () =>
  withHeldSession({}, async ({ session }) => {
    const input = "/rate 50\n/words 200";
    const { id } = valueOf(await session.queue.start({ input, on_busy: "reject" }));
    await waitFor(() => expect(session.active?.state.message.content).toHaveLength(1));
    const block = session.active?.state.message.content[0]?.id ?? "";
    await session.runner.interrupt();
    await append(session, truncated(id, block, "one"));

    const texts = textsOf([session.tables.messages.find(id)!.message]);
    expect(texts).toEqual(["one"]);
  }));

it("a reply that waits shows what was heard of it, and keeps that when it goes on", () =>
  withHeldSession(DESK, async ({ session, state }) => {
    const { id, block } = await said(session, `/say One moment, please.\n${REFUND}`);
    expect(session.openReply?.status).toBe("awaiting_permission");
    await append(session, truncated(id, block, "One moment"));

    const [listed] = await readTexts(session);
    expect(listed.at(-1)).toBe("One moment");
    const next = await wokenSession(state, session.init);
    expect(textsOf([next.openReply!.state.message])).toEqual(["One moment"]);
    expect((await readTexts(next))[0].at(-1)).toBe("One moment");
    await next.runner.interrupt();
    expect(textsOf([next.tables.messages.find(id)!.message])[0]).toBe("One moment");
  }));

it.each([
  ["", false],
  ["with its connection held open", true],
])("a reply that waits %s goes on waiting when it becomes known what was heard", (_, isHeld) =>
  withHeldSession(DESK, async ({ session }) => {
    const { id, block } = await said(session, `/say One moment, please.\n${REFUND}`);
    if (isHeld) session.openReply?.hold();
    const text = "One moment";
    const truncation = { message_id: id, block_id: block, text, played_ms: 400 };

    expect(changeMessage(session, { name: "speech_truncated", ...truncation })).toBe(true);
    await session.log.settled();

    const [listed] = await readTexts(session);
    const status = [session.isRunning, session.openReply?.status];
    expect([listed.at(-1), ...status]).toEqual([text, false, "awaiting_permission"]);
  }),
);

it("events of messages that are not there change nothing", () =>
  withHeldSession({}, async ({ session }) => {
    addMessages(session, [spokenMessage("m1")]);
    await append(session, transcribed("m9", "Hello."), truncated("rep_9", "b1", ""));

    const change = { name: "speech_transcribed", message_id: "m9", text: "Hello." } as const;
    expect(changeMessage(session, change)).toBe(false);
    expect(await readTexts(session)).toEqual([[""], [""]]);
  }));

it("a fork at a spoken message has its words, and nothing of what came before them", () =>
  withHeldSession({}, async ({ session }) => {
    addMessages(session, [spokenMessage("m1"), spokenMessage("m2")]);
    await append(session, transcribed("m1", "Where are my shoes?"), transcribed("m2", "Hello?"));

    expect([await forkedTexts(session, "m1"), await forkedTexts(session, "m2")]).toEqual([
      ["Where are my shoes?"],
      ["Where are my shoes?", "Hello?"],
    ]);
  }));

it("a fork at an answer that was truncated behind the next turn is without that turn", () =>
  withHeldSession({}, async ({ session }) => {
    const { id, block } = await said(session, "/say Your shoes are on their way.");
    const end = session.log.lastSeq;
    addMessages(session, [spokenMessage("m2")]);
    await append(session, truncated(id, block, "Your shoes"), transcribed("m2", "Stop."));

    const shown = ["/say Your shoes are on their way.", "Your shoes"];
    const forks = [id, end, end + 1, undefined].map((at) => forkedTexts(session, at));
    expect(await Promise.all(forks)).toEqual([
      shown,
      shown,
      [...shown, "Stop."],
      [...shown, "Stop."],
    ]);
  }));

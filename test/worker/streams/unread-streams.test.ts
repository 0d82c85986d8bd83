// Readers who do not read: what they hold is let go, and those who have read everything stay.
import { expect, it } from "vitest";

import { openStream } from "../../../durable-objects/open-stream.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import { parseStreamRequest } from "../../../durable-objects/api/stream-request.ts";
import { STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import { EVENT_FORMATS } from "../../../protocol/dialects/dialects.ts";
import {
  MAX_DELTA_CHARACTERS,
  MAX_CLIENT_SUBSCRIBERS,
  MAX_FOLDED_CHARACTERS,
  MAX_TOKEN_SUBSCRIBERS,
  MAX_UNREAD_HEARTBEATS,
  MAX_SUBSCRIBERS,
} from "../../../protocol/events/limits.ts";
import { ANSWER_PIECE_BYTES, STORED_PIECE_BYTES } from "../../../protocol/requests/limits.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import { valueOf } from "../sessions/session.ts";
import { BROAD } from "../../support/breadth.ts";

type Reader = ReadableStreamDefaultReader<Uint8Array>;

function request(session: OpenSession, query: string) {
  return openStream(session, parseStreamRequest(`${STREAM_URL}?${query}`));
}

function open(session: OpenSession, query: string): Reader {
  return (valueOf(request(session, query)) ?? new ReadableStream<Uint8Array>()).getReader();
}

function beat(session: OpenSession, times: number): void {
  for (let beats = 0; beats < times; beats += 1) session.subscribers.beat();
}

async function reply(session: OpenSession, input: string): Promise<void> {
  await session.queue.start({ input, on_busy: "reject" });
  await session.active?.settled;
}

/** Writes a model's text in the reply that runs, without the time that it takes. */
async function speak({ log, openReply }: OpenSession, characters: number): Promise<void> {
  const block = { reply_id: openReply?.id ?? "", block_id: "large" };
  log.append([{ type: "TEXT_BLOCK_START", ...block }]);
  for (let said = 0; said < characters; said += MAX_DELTA_CHARACTERS) {
    const delta = "x".repeat(Math.min(MAX_DELTA_CHARACTERS, characters - said));
    log.append([{ type: "TEXT_BLOCK_DELTA", ...block, delta }]);
  }
  await log.settled();
}

/** Everything that there is at this moment. */
async function readToTheEnd(reader: Reader, session: OpenSession): Promise<void> {
  const decoder = new TextDecoder();
  for (let text = ""; !text.includes(`id: ${session.log.lastSeq}`);) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
  }
}

it.each(EVENT_FORMATS)(
  "a stream in the format %s that nobody reads for a minute is let go, and its reader is told so",
  (format) =>
    withHeldSession({}, async ({ session }) => {
      await reply(session, "/say hi");
      const reader = open(session, `after=0&follow=session&format=${format}`);
      await reader.read();

      beat(session, MAX_UNREAD_HEARTBEATS - 1);
      const before = session.subscribers.count;
      await reply(session, "/say more");
      beat(session, 1);

      expect([before, session.subscribers.count]).toEqual([1, 0]);
      expect(await reader.read()).toEqual({ done: true, value: undefined });
    }),
);

it("a stream whose reader has read everything stays open, and tells what comes later", () =>
  withHeldSession({}, async ({ session }) => {
    await reply(session, "/say hi");
    const reader = open(session, "after=0&follow=session");
    await readToTheEnd(reader, session);

    beat(session, 2 * MAX_UNREAD_HEARTBEATS);
    const waiting = session.subscribers.count;
    await reply(session, "/say more");
    await readToTheEnd(reader, session);
    await reader.cancel();

    expect([waiting, session.subscribers.count]).toEqual([1, 0]);
  }));

it("a stream whose reader waits for the next event stays open, however long that takes", () =>
  withHeldSession({}, async ({ session }) => {
    await reply(session, "/say hi");
    const reader = open(session, `after=${session.log.lastSeq}&follow=session`);
    // `retry:`, and then nothing.
    await reader.read();
    const waiting = reader.read();

    for (let beats = 0; beats < 2 * MAX_UNREAD_HEARTBEATS; beats += 1) {
      session.subscribers.beat();
      await Promise.resolve();
    }

    expect(session.subscribers.count).toBe(1);
    expect(new TextDecoder().decode((await waiting).value)).toBe(": heartbeat\n\n");
    await reader.cancel();
  }));

it("a reader of a log with a large message holds a small piece of it", () =>
  withHeldSession({}, async ({ session }) => {
    const large = "x".repeat(5_000_000);
    await reply(session, `/say hi\n${large}`);
    const reader = open(session, "after=0");
    let text = "";
    let largest = 0;
    const decoder = new TextDecoder();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      largest = Math.max(largest, read.value.byteLength);
      text += decoder.decode(read.value, { stream: true });
    }

    expect(text.split(large).length).toBe(2);
    expect(largest).toBeLessThanOrEqual(ANSWER_PIECE_BYTES + STORED_PIECE_BYTES);
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    const stored = [...session.log.events(0)].map(({ item }) => item.seq);
    expect(ids).toEqual(stored);
  }));

it("a reader that goes on inside of a large row gets what is behind its cursor", () =>
  withHeldSession({}, async ({ session }) => {
    await reply(session, `/say hi\n${"x".repeat(2_500_000)}`);
    const [first] = session.log.events(0);
    const reader = open(session, `after=${first?.item.seq}`);
    const decoder = new TextDecoder();
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
    }

    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    const stored = [...session.log.events(0)].map(({ item }) => item.seq);
    expect(ids).toEqual(stored.slice(1));
  }));

it("one client token has a share of a session's streams, all tokens have another, and keys have the rest", () =>
  withHeldSession({}, async ({ session }) => {
    await reply(session, "/say hi");
    const addToken = (id: string) =>
      session.tables.tokens.add({ id, expires_at: "2999-01-01T00:00:00.000Z" }, Date.now());
    const fill = (query: string): number => {
      for (let opened = 0; ; opened += 1) {
        const stream = request(session, `after=0&follow=session${query}`);
        if (!stream.ok) {
          expect(stream.refusal.code).toBe("too_many_subscribers");
          return opened;
        }
      }
    };
    const opened: number[] = [];
    for (let token = 0; token < 6; token += 1) {
      addToken(`tok_${token}`);
      opened.push(fill(`&token_id=tok_${token}`));
    }

    expect(Math.max(...opened)).toBe(MAX_TOKEN_SUBSCRIBERS);
    expect(opened.reduce((sum, count) => sum + count, 0)).toBe(MAX_CLIENT_SUBSCRIBERS);
    expect(fill("")).toBe(MAX_SUBSCRIBERS - MAX_CLIENT_SUBSCRIBERS);
  }));

it("readers of AG-UI who fold the same large message are bounded together, and one is let in always", () =>
  withHeldSession({}, async ({ session }) => {
    await session.queue.start({ input: "/wait 600000", on_busy: "reject" });
    // Four of them fit, and five do not.
    await speak(session, MAX_FOLDED_CHARACTERS / 4);
    const join = () => request(session, "format=ag-ui");

    const joined = [join(), join(), join(), join(), join()];
    const native = request(session, "after=0");
    for (const reader of joined) if (reader.ok) await reader.value?.cancel();

    expect(joined.map((each) => each.ok || each.refusal.code)).toEqual([
      true,
      true,
      true,
      true,
      "too_many_subscribers",
    ]);
    expect([native.ok, join().ok]).toEqual([true, true]);
    await session.runner.interrupt();
  }));

it(
  "a reader of AG-UI whose message grows beyond what all of them may hold is cut, and the others go on",
  BROAD,
  () =>
    withHeldSession({}, async ({ session }) => {
      await reply(session, "/say hi");
      const query = "after=0&follow=session&format=ag-ui";
      const readers = Array.from({ length: 5 }, () => open(session, query));
      await session.queue.start({ input: "/wait 600000", on_busy: "reject" });
      const id = session.active?.id;
      await speak(session, MAX_FOLDED_CHARACTERS / 4);
      await session.runner.interrupt();
      const ends: string[] = [];
      for (const reader of readers) {
        const decoder = new TextDecoder();
        let told = "";
        const end = new RegExp(`RUN_FINISHED\\ndata: .*${id}`);
        let isOver = false;
        while (!isOver && !end.test(told)) {
          const { done, value } = await reader.read();
          isOver = done;
          told = told.slice(-1_000) + decoder.decode(value, { stream: true });
        }
        ends.push(isOver ? "cut" : "told");
      }
      for (const reader of readers) await reader.cancel();

      expect(ends).toEqual(["told", "told", "told", "told", "cut"]);
      expect(session.subscribers.count).toBe(0);
    }),
);

it("a stream of a session that is deleted while it is opened is refused", () =>
  withHeldSession({}, async ({ session }) => {
    await reply(session, "/say One.");
    session.log.close();

    expect(request(session, "format=agentscope")).toMatchObject({
      ok: false,
      refusal: { code: "not_found" },
    });
  }));

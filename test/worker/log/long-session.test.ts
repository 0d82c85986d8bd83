/** @module-tag broad */
// A session of 2,000 messages and 100,000 events: what is read of it does not grow with it.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";

import { encodeEventFrame } from "../../../protocol/sse.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import {
  createdSession,
  listEvents,
  listMessages,
  objectOf,
  openStream,
  readEvents,
  reply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

const REPLIES = 1_000;
const EVENTS_PER_REPLY = 100;
const EVENTS_PER_ROW = 10;
const EVENTS = REPLIES * EVENTS_PER_REPLY;

let init: SessionInit;

beforeAll(async () => {
  init = await createdSession();
  await runInDurableObject(objectOf(init), (_, state) => {
    state.storage.transactionSync(() => {
      for (let index = 0; index < REPLIES; index += 1) writeReply(state.storage.sql, index);
    });
  });
  // Memory is made anew from what was written behind the object's back.
  await abortAllDurableObjects();
});

function replyId(index: number): string {
  return `rep_${String(index).padStart(26, "0")}`;
}

function writeReply(sql: SqlStorage, index: number): void {
  const first = index * EVENTS_PER_REPLY + 1;
  const reply_id = replyId(index);
  for (let start = first; start < first + EVENTS_PER_REPLY; start += EVENTS_PER_ROW) {
    const frames = Array.from({ length: EVENTS_PER_ROW }, (_, offset) =>
      frame(start + offset, reply_id),
    );
    sql.exec(
      "INSERT INTO events (seq, frames) VALUES (?, ?)",
      start + EVENTS_PER_ROW - 1,
      new TextEncoder().encode(frames.join("")),
    );
  }
  const end = first + EVENTS_PER_REPLY - 1;
  sql.exec(
    "INSERT INTO replies (id, epoch, status, start_cursor, end_seq, agent_version, model_name, created_at) VALUES (?, 1, 'completed', ?, ?, 1, 'm', 'T')",
    reply_id,
    first,
    end,
  );
  const question = UserMsg("user", `/say question ${index}`, { id: `msg_${index}` });
  const answer = AssistantMsg("Refund desk", `answer ${index}`, { id: reply_id });
  for (const [message, position] of [[question, first] as const, [answer, first + 1] as const]) {
    sql.exec(
      "INSERT INTO messages (position, id, reply_id, cursor, body) VALUES (?, ?, ?, ?, ?)",
      position,
      message.id,
      reply_id,
      end,
      new TextEncoder().encode(JSON.stringify(message)),
    );
  }
}

function frame(seq: number, reply_id: string): string {
  const event = { type: "TEXT_BLOCK_DELTA", reply_id, block_id: "b", delta: "x", seq };
  return encodeEventFrame({
    id: `evt_${seq}`,
    created_at: "T",
    metadata: {},
    ...event,
  } as LoggedEvent);
}

/** Rows that the object's SQLite reads while `action` runs. */
async function rowsReadBy(action: () => Promise<unknown>): Promise<number> {
  const counter = { rows: 0 };
  await runInDurableObject(objectOf(init), (_, state) => {
    const { sql } = state.storage;
    const exec = sql.exec.bind(sql);
    Object.defineProperty(sql, "exec", {
      configurable: true,
      value: (query: string, ...bindings: unknown[]) => {
        const cursor = exec(query, ...bindings);
        queueMicrotask(() => (counter.rows += cursor.rowsRead));
        return cursor;
      },
    });
  });
  await action();
  await Promise.resolve();
  return counter.rows;
}

describe("a session of 2,000 messages and 100,000 events", () => {
  it("opens and shows its state", async () => {
    expect(valueOf(await stubOf(init).act("read"))).toMatchObject({
      status: "idle",
      cursor: EVENTS,
    });
  });

  it("replays its tail from a cursor near the end", async () => {
    const events = await readEvents(await openStream(init, `after=${EVENTS - 25}`));

    expect(events.map((event) => event.seq)).toEqual(
      Array.from({ length: 25 }, (_, index) => EVENTS - 24 + index),
    );
  });

  it("replays all of it, each event once", async () => {
    let expected = 1;
    const events = await readEvents(await openStream(init, "after=0"));
    for (const event of events) {
      expect(event.seq).toBe(expected);
      expected += 1;
    }
    expect(events).toHaveLength(EVENTS);
  });

  it("lists its newest messages", async () => {
    const page = valueOf(await listMessages(init, { limit: 20 }));

    expect(page.data.at(-1)?.id).toBe(replyId(REPLIES - 1));
    expect(page.has_more).toBe(true);
  });

  it("takes a reply", async () => {
    expect(await reply(init, "/say still here")).toMatchObject({ status: "completed" });
  });

  it("reads rows by what is asked for, not by what is there", async () => {
    const rows = await rowsReadBy(async () => {
      await stubOf(init).act("read");
      await listMessages(init, { limit: 20 });
      await stubOf(init).act("listReplies", { limit: 20 });
      await listEvents(init, { after: EVENTS - 100, limit: 50 });
      await readEvents(await openStream(init, `after=${EVENTS - 50}`));
    });

    expect(rows).toBeGreaterThan(50);
    expect(rows).toBeLessThan(250);
  });
});

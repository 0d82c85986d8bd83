// The conversation as the log tells it: whatever was read at which moment, every event behind it counts once.
import { expect, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { growDataBlock, growOutputData } from "../../../protocol/fold/grow-data.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import {
  addOlder,
  addQueued,
  isPartlyTaken,
  shownMessages,
  takeEvent,
  type ConversationState,
} from "../../../sdk/store/conversation.ts";
import { waitingCalls } from "../../../sdk/store/waiting-calls.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";

const AT = "2026-11-23T12:00:00.000Z";
const GROWTH = { growDataBlock, growOutputData };
const asks = { tool_calls: [{ id: "c1", suggested_rules: [] }] };
const asked = {
  input_hashes: { c1: "sha256:1" },
  expires_at: { c1: AT },
  questions: { c1: "May I?" },
};

function question(id: string, text: string): object {
  return { type: "CUSTOM", name: "message_added", value: { message: user(id, text) } };
}

function user(id: string, text: string): Msg {
  return UserMsg({
    id,
    name: "kim",
    content: [{ type: "text", text, id: `${id}_0` }],
    created_at: AT,
  });
}

/** Two replies; the first one asks, draws a picture, and tells its end late. */
const LOG = [
  question("m1", "Refund, please."),
  { type: "REPLY_START", reply_id: "r1", name: "Desk", role: "assistant" },
  { type: "MODEL_CALL_START", reply_id: "r1", model_name: "m" },
  { type: "TEXT_BLOCK_START", reply_id: "r1", block_id: "b1" },
  { type: "TEXT_BLOCK_DELTA", reply_id: "r1", block_id: "b1", delta: "One " },
  { type: "TEXT_BLOCK_DELTA", reply_id: "r1", block_id: "b1", delta: "moment." },
  { type: "TEXT_BLOCK_END", reply_id: "r1", block_id: "b1" },
  { type: "TOOL_CALL_START", reply_id: "r1", tool_call_id: "c1", tool_call_name: "refund" },
  { type: "TOOL_CALL_DELTA", reply_id: "r1", tool_call_id: "c1", delta: '{"id":"A-1"}' },
  { type: "TOOL_CALL_END", reply_id: "r1", tool_call_id: "c1" },
  { type: "REQUIRE_USER_CONFIRM", reply_id: "r1", ...asks, metadata: asked },
  {
    type: "USER_CONFIRM_RESULT",
    reply_id: "r1",
    confirm_results: [{ confirmed: true, tool_call: { id: "c1" }, rules: null }],
  },
  { type: "TOOL_RESULT_START", reply_id: "r1", tool_call_id: "c1", tool_call_name: "refund" },
  { type: "TOOL_RESULT_TEXT_DELTA", reply_id: "r1", tool_call_id: "c1", delta: "Paid." },
  { type: "TOOL_RESULT_END", reply_id: "r1", tool_call_id: "c1", state: "success" },
  { type: "DATA_BLOCK_START", reply_id: "r1", block_id: "d1", media_type: "image/png", name: null },
  {
    type: "DATA_BLOCK_DELTA",
    reply_id: "r1",
    block_id: "d1",
    media_type: "image/png",
    data: "iVBORw==",
    url: null,
  },
  { type: "DATA_BLOCK_END", reply_id: "r1", block_id: "d1" },
  { type: "REPLY_END", reply_id: "r1", finished_reason: "completed", error: null },
  { type: "TEXT_BLOCK_START", reply_id: "r1", block_id: "late" },
  question("m2", "And now?"),
  { type: "REPLY_START", reply_id: "r2", name: "Desk", role: "assistant" },
  { type: "TEXT_BLOCK_START", reply_id: "r2", block_id: "b2" },
  { type: "TEXT_BLOCK_DELTA", reply_id: "r2", block_id: "b2", delta: "Bye." },
  { type: "REPLY_END", reply_id: "r2", finished_reason: "completed", error: null },
].map((event, index) => ({
  metadata: {},
  created_at: AT,
  ...event,
  seq: index + 1,
})) as unknown as LoggedEvent[];

/** The platform's answer when the log has got so far. */
function messagesAt(seq: number): Msg[] {
  const events = LOG.slice(0, seq);
  return events.flatMap((event) => {
    if (event.type === "CUSTOM") return [event.value["message"] as Msg];
    if (event.type !== "REPLY_START") return [];
    const message = foldEvents(events.filter(({ reply_id }) => reply_id === event.reply_id));
    return message ? [message] : [];
  });
}

function openReplyAt(seq: number): string | null {
  let open: string | null = null;
  for (const event of LOG.slice(0, seq)) {
    if (event.type === "REPLY_START") open = event.reply_id;
    if (event.type === "REPLY_END") open = null;
  }
  return open;
}

/** As loadConversation makes it of a session that was read at one moment and a page of another. */
function loadedAt(sessionSeq: number, pageSeq: number): ConversationState {
  const messages = messagesAt(pageSeq);
  const replyId = openReplyAt(sessionSeq);
  const index = messages.findIndex(({ id }) => id === replyId);
  const message = messages[index];
  return {
    messages,
    live: message ? { message, index, foldedTo: pageSeq } : null,
    cursor: Math.min(sessionSeq, pageSeq),
    foldedTo: pageSeq,
    controlledTo: sessionSeq,
    replyId,
    asked: new Map(),
    progress: new Map(),
    queuedReplyIds: [],
    olderPage: null,
  };
}

const CUTS = LOG.flatMap((_, session) => LOG.map((_event, page) => [session, page] as const));

test("from any two moments, and with events that come twice, every later state is the log's", () => {
  for (const [session, page] of CUTS) {
    let conversation = deepFreeze(loadedAt(session, page));
    for (const event of LOG.slice(conversation.cursor)) {
      conversation = takeEvent(conversation, event, GROWTH);
      expect(takeEvent(conversation, event, GROWTH)).toBe(conversation);
      if (event.seq < Math.max(session, page)) continue;
      expect(shownMessages(conversation), `${session} ${page} ${event.seq}`).toEqual(
        messagesAt(event.seq),
      );
      expect(conversation.replyId).toBe(openReplyAt(event.seq));
    }
  }
});

test("the question of a call is known while it asks, from any moment before it", () => {
  const asking = LOG.findIndex(({ type }) => type === "REQUIRE_USER_CONFIRM") + 1;
  for (const [session, page] of CUTS.filter(([one, other]) => one < asking && other <= asking)) {
    let conversation = loadedAt(session, page);
    for (const event of LOG.slice(conversation.cursor, asking)) {
      conversation = takeEvent(conversation, event, GROWTH);
    }
    const calls = waitingCalls(conversation, new Map(), []);
    expect(calls, `${session} ${page}`).toMatchObject([
      {
        kind: "permission",
        reply_id: "r1",
        input: { id: "A-1" },
        input_hash: "sha256:1",
        expires_at: AT,
        question: "May I?",
        isAnswering: false,
      },
    ]);
    expect(waitingCalls(conversation, new Map(), calls)).toBe(calls);
    const next = takeEvent(conversation, LOG[asking] as LoggedEvent, GROWTH);
    expect(waitingCalls(next, new Map(), calls)).toEqual([]);
  }
});

test("a delta makes one message new, and copies no list", () => {
  let conversation = loadedAt(4, 4);
  const before = conversation.messages;
  conversation = takeEvent(conversation, LOG[4] as LoggedEvent, null);

  expect(conversation.messages).toBe(before);
  const shown = shownMessages(conversation);
  expect(shown[0]).toBe(before[0]);
  expect(shown[1]).not.toBe(before[1]);
});

test("an older page goes in front, without what is there already", () => {
  const conversation = loadedAt(LOG.length, LOG.length);
  const [m1, r1, m2, r2] = conversation.messages;
  const newest = { ...conversation, messages: [m2, r2] as Msg[], olderPage: "pg_20" };
  const stale = { ...m2, content: [] } as Msg;

  const whole = addOlder(newest, [m1, r1, stale] as Msg[], null);

  expect(whole.messages).toEqual([m1, r1, m2, r2]);
  expect(whole.messages[2]).toBe(m2);
  expect(whole.olderPage).toBeNull();
});

test("a running reply above the first page grows unseen, and is there with its page", () => {
  const [m1] = messagesAt(4);
  const message = messagesAt(4)[1] as Msg;
  const others = [user("o1", "A note."), user("o2", "Another note.")];
  let conversation: ConversationState = {
    ...loadedAt(4, 4),
    messages: others,
    live: { message, index: -1, foldedTo: 4 },
    olderPage: "pg_1",
  };
  conversation = takeEvent(conversation, LOG[4] as LoggedEvent, null);
  expect(shownMessages(conversation)).toEqual(others);

  conversation = addOlder(conversation, [m1 as Msg, message], null);
  conversation = takeEvent(conversation, LOG[5] as LoggedEvent, null);

  const shown = shownMessages(conversation);
  expect(shown.map(({ id }) => id)).toEqual(["m1", "r1", "o1", "o2"]);
  expect(shown[1]).toEqual(messagesAt(6)[1]);
});

test("a reply that was read whole takes no event of before that", () => {
  const whole = messagesAt(6)[1] as Msg;
  const index = 1;
  let conversation: ConversationState = {
    ...loadedAt(4, 4),
    live: { message: whole, index, foldedTo: 6 },
  };
  for (const event of LOG.slice(4, 6)) conversation = takeEvent(conversation, event, null);

  expect(shownMessages(conversation)[1]).toBe(whole);
});

test("a reply that was accepted is queued until it begins, also when its beginning was first", () => {
  const before = loadedAt(19, 19);
  const queued = addQueued(addQueued(before, "r2"), "r3");
  expect(queued.queuedReplyIds).toEqual(["r2", "r3"]);

  let conversation = queued;
  for (const event of LOG.slice(19)) conversation = takeEvent(conversation, event, null);

  expect(conversation.queuedReplyIds).toEqual(["r3"]);
  expect(addQueued(conversation, "r2").queuedReplyIds).toEqual(["r3"]);
});

test("events of nothing that is known change the cursor alone", () => {
  const conversation = loadedAt(2, 2);
  const strange = [
    { type: "CUSTOM", name: "shared_state_updated", value: { patch: [], version: 1 } },
    { type: "TEXT_BLOCK_DELTA", reply_id: "r9", block_id: "b1", delta: "?" },
    { type: "SOMETHING_NEW", reply_id: "r1" },
  ].map((event, index) => ({ metadata: {}, created_at: AT, ...event, seq: 3 + index }));

  const after = strange.reduce(
    (now, event) => takeEvent(now, event as unknown as LoggedEvent, null),
    conversation,
  );

  expect([after.cursor, shownMessages(after)]).toEqual([5, shownMessages(conversation)]);
});

test("an event whose text a message has in part is known, and no other", () => {
  const message = { ...user("r1", "One"), role: "assistant" } as Msg;
  const conversation = { live: { message, index: 0, foldedTo: 5 } } as unknown as ConversationState;
  const delta = (reply_id: string, first_seq: number, seq: number) =>
    ({
      type: "TEXT_BLOCK_DELTA",
      reply_id,
      block_id: "b1",
      delta: "One moment.",
      seq,
      metadata: { condensed: { first_seq } },
    }) as unknown as LoggedEvent;

  expect(isPartlyTaken(conversation, delta("r1", 4, 8))).toBe(true);
  expect(isPartlyTaken(conversation, delta("r1", 5, 6))).toBe(true);
  expect(isPartlyTaken(conversation, delta("r1", 6, 8))).toBe(false);
  expect(isPartlyTaken(conversation, delta("r1", 3, 5))).toBe(false);
  expect(isPartlyTaken(conversation, delta("r2", 4, 8))).toBe(false);
  expect(isPartlyTaken({ ...conversation, live: null }, delta("r1", 4, 8))).toBe(false);
});

test("what a call has said last of its progress is there while it runs", () => {
  const target = { reply_id: "r1", tool_call_id: "c1" };
  const said = (seq: number, message: string) =>
    ({
      type: "CUSTOM",
      name: "tool_progress",
      metadata: {},
      created_at: AT,
      value: { ...target, message, progress: null, total: null },
      seq,
    }) as unknown as LoggedEvent;
  const started = loadedAt(13, 13);
  const ended = { ...LOG[14], seq: 16 } as LoggedEvent;
  const steps = [said(14, "one"), said(15, "two"), ended].reduce<ConversationState[]>(
    (all, event) => [...all, takeEvent(all.at(-1) ?? started, event, GROWTH)],
    [],
  );

  const progress = (message: string) => [["c1", { message, progress: null, total: null }]];
  expect(steps.map((one) => [...one.progress])).toEqual([progress("one"), progress("two"), []]);
  expect(steps[1]?.live).toBe(started.live);
});

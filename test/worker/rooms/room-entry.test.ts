import { expect, it } from "vitest";

import { roomEntry } from "../../../durable-objects/rooms/room-entry.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";

const BASE = { id: "evt_7", created_at: "2026-11-30T09:00:00.000Z", metadata: {}, seq: 7 };
const START: LoggedEvent = {
  ...BASE,
  type: "REPLY_START",
  session_id: "ses_1",
  reply_id: "rep_1",
  name: "An agent",
  role: "assistant",
};
const TURNS = [
  { turn_id: "trn_1", reply_id: "rep_1" },
  { turn_id: "trn_2", reply_id: "rep_2" },
];

it("a reply is of the turn that has begun it, whichever turn is open now", () => {
  expect(roomEntry(START, "ann", { turns: TURNS, untrusted: null })).toEqual({
    type: "REPLY_START",
    created_at: BASE.created_at,
    session_id: "ses_1",
    reply_id: "rep_1",
    role: "assistant",
    name: "ann",
    metadata: { participant: "ann", turn_id: "trn_1" },
  });
  expect(roomEntry(START, "ann", { turns: [], untrusted: null }).metadata).toEqual({
    participant: "ann",
  });
});

it("an end says that it was made of untrusted content", () => {
  const untrusted = { tool_name: "read_page", tool_call_id: "call_1" };
  const end: LoggedEvent = {
    ...BASE,
    type: "REPLY_END",
    session_id: "ses_1",
    reply_id: "rep_1",
    finished_reason: "completed",
    error: null,
  };
  const metadata = { participant: "ann", untrusted };
  expect(roomEntry(end, "ann", { turns: TURNS, untrusted })).toMatchObject({ metadata });
});

it("a delta that its session has condensed names no seq of the session", () => {
  const delta: LoggedEvent = {
    ...BASE,
    type: "TEXT_BLOCK_DELTA",
    reply_id: "rep_1",
    block_id: "b",
    delta: "All of it.",
    metadata: { condensed: { first_seq: 3 }, own: true },
  };
  const metadata = { own: true, participant: "ann" };
  expect(roomEntry(delta, "ann", { turns: TURNS, untrusted: null }).metadata).toEqual(metadata);
});

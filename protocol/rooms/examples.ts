// A room of two agents and a person, as the API's document shows it.
import { AGENT_ID, ASKED_AT, EXAMPLE_TIME, KEY_ID, REPLY_ID, SESSION_ID } from "../refund-desk.ts";

const ROOM_ID = "room_01kaj2vf3h8m2p6r0t4w7y1a5c";
const REVIEWER_ID = "agt_01kaj2v9c8m3p6t0x4z7b2d5f9";
const REVIEWER_SESSION_ID = "ses_01kaj2vcr4k7n1q5s9v3x6z0b3";

const turns = { order: "sequential", rounds: 1 };

export const NEW_ROOM = {
  title: "A refund to be decided",
  participants: [
    { name: "desk", agent_id: AGENT_ID },
    { name: "reviewer", agent_id: REVIEWER_ID, agent_version: 2 },
    { name: "Mia", kind: "person", end_user_id: "customer-17" },
  ],
  turns,
  announcement: "The desk proposes, the reviewer objects.",
};

const person = { agent_id: null, agent_version: null, session_id: null };
const agent = { end_user_id: null };
const common = {
  awaited: false,
  form: null,
  input_timeout_ms: null,
  joined_at: EXAMPLE_TIME,
  left_at: null,
  status: "idle",
};

const ROOM_PARTICIPANT = {
  name: "Mia",
  kind: "person",
  ...person,
  end_user_id: "customer-17",
  ...common,
};

export const ROOM = {
  id: ROOM_ID,
  title: NEW_ROOM.title,
  metadata: {},
  turns,
  created_at: EXAMPLE_TIME,
  participants: [
    {
      name: "desk",
      kind: "agent",
      agent_id: AGENT_ID,
      agent_version: 1,
      session_id: SESSION_ID,
      ...agent,
      ...common,
    },
    {
      name: "reviewer",
      kind: "agent",
      agent_id: REVIEWER_ID,
      agent_version: 2,
      session_id: REVIEWER_SESSION_ID,
      ...agent,
      ...common,
    },
    ROOM_PARTICIPANT,
  ],
  announcement: NEW_ROOM.announcement,
  max_rounds: 10,
  max_tokens: null,
  max_ms: null,
  turn_timeout_ms: null,
  voice: null,
  status: "idle",
  round: 0,
  pending: [],
  input_requests: [],
  last_end: null,
  cursor: 2,
};

const MESSAGE_ID = "phone-5-message-7";

export const NEW_ROOM_MESSAGE = {
  id: MESSAGE_ID,
  participant: "Mia",
  content: "My shoes arrived damaged. What can you do?",
};

export const ROOM_MESSAGE_RECEIPT = {
  message: {
    name: "Mia",
    content: [
      {
        type: "text",
        text: NEW_ROOM_MESSAGE.content,
        id: "b1e0c7d2f6a94d5d8f2c6f8f0d4a1c3f",
        created_at: EXAMPLE_TIME,
        finished_at: null,
      },
    ],
    role: "user",
    id: MESSAGE_ID,
    metadata: {},
    created_at: EXAMPLE_TIME,
    usage: null,
    finished_at: EXAMPLE_TIME,
    finished_reason: null,
    structured_output: null,
    error: null,
  },
  cursor: 2,
  added: true,
};

const delta = {
  id: "evt_9",
  created_at: "2026-11-21T09:30:01.700Z",
  metadata: { participant: "desk" },
  type: "TEXT_BLOCK_DELTA",
  reply_id: REPLY_ID,
  block_id: "5f2c8d1ab0e34c7795f1d2a6b4c8e0f3",
  delta: "I propose a refund.",
  seq: 9,
};

export const ROOM_EVENTS = `id: ${delta.seq}\nevent: ${delta.type}\ndata: ${JSON.stringify(delta)}\n\n`;

export const NEW_ROOM_TOKEN = {
  participant: "Mia",
  verbs: ["read", "reply", "interrupt"],
  ttl_seconds: 900,
  allowed_origins: ["https://shop.example"],
};

export const ROOM_TOKEN = {
  id: "tok_01kaj2vk9m3p7r1t5v8x2z6b0e",
  room_id: ROOM_ID,
  participant: "Mia",
  verbs: NEW_ROOM_TOKEN.verbs,
  allowed_origins: NEW_ROOM_TOKEN.allowed_origins,
  created_at: ASKED_AT,
  expires_at: "2026-11-21T09:46:00.000Z",
  key_id: KEY_ID,
  token: "rm_1f6b03c2.eyJ0b2tlbl9pZCI6Li4ufQ.c2lnbmF0dXJl",
};

const streamPath = `/v1/rooms/${ROOM_ID}/events?follow=room`;
const ticket = "tk_1f6b03c2.eyJ0b2tlbl9pZCI6Li4ufQ.c2lnbmF0dXJl";

export const NEW_ROOM_STREAM_TICKET = { path: streamPath };

export const ROOM_STREAM_TICKET = {
  ticket,
  path: `${streamPath}&token=${ticket}`,
  token_id: ROOM_TOKEN.id,
  expires_at: ROOM_TOKEN.expires_at,
};

export const ROOM_INPUT = { participant: "Mia", values: { accepted: true } };
export const ROOM_INTERRUPT = { participant: "desk" };
export const JOINING = { participant: { name: "clerk", agent_id: AGENT_ID }, history: "all" };

export const ROOM_RUN = {
  threadId: ROOM_ID,
  runId: "0b9a4c52-7f0d-4a56-9a2b-1c9e52a1f0b4",
  protocolVersion: "1.0",
  messages: [{ id: MESSAGE_ID, role: "user", content: NEW_ROOM_MESSAGE.content }],
};

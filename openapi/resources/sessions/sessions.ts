// Sessions: create, fork, change, erase.
import { ForkCreateSchema } from "../../../protocol/sessions/fork.ts";
import {
  SessionPageSchema,
  SessionSchema,
  SessionCreateSchema,
  SessionListQuerySchema,
  SessionUpdateSchema,
} from "../../../protocol/sessions/contract.ts";
import { AGENT_ID, EXAMPLE_TIME, SESSION_ID } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

const session = {
  id: SESSION_ID,
  agent_id: AGENT_ID,
  agent_version: 1,
  follows_latest: false,
  end_user_id: "customer-17",
  metadata: {},
  created_at: EXAMPLE_TIME,
  status: "idle",
  reply_id: null,
  queued_reply_ids: [],
  pending: [],
  cursor: 0,
  forked_from: null,
  permission: { mode: "default" },
  working_directories: [],
  time_zone: null,
};

export const SESSIONS = {
  tags: {
    Sessions: "A conversation of one end user with one agent.",
  },
  operations: {
    createSession: {
      tag: "Sessions",
      summary: "Create a session",
      description: [
        "The session keeps the agent's version, the current one when none is named, or follows the newest. Permission and",
        "working directories need `permission_rules:write` too, tools of its own `agents:write`.",
      ].join(" "),
      request: { json: SessionCreateSchema, examples: ["newSession", "guardedSession"] },
      answers: {
        201: {
          description: "The session.",
          json: SessionSchema,
          headers: ["Location"],
          examples: ["idleSession"],
        },
      },
      errors: ["not_found", "conflict", "quota_exceeded"],
    },
    listSessions: {
      tag: "Sessions",
      summary: "List sessions",
      description: "Newest first, optionally only those of one agent or one end user.",
      query: SessionListQuerySchema,
      answers: { 200: { description: "A page of sessions.", json: SessionPageSchema } },
    },
    readSession: {
      tag: "Sessions",
      summary: "Get a session",
      description: "Its current status, and the tool calls that wait for an answer.",
      answers: {
        200: { description: "The session.", json: SessionSchema, examples: ["idleSession"] },
      },
    },
    updateSession: {
      tag: "Sessions",
      summary: "Update a session",
      description: [
        "Members that are left out do not change; a version, tools and a time zone take effect with the next reply. Permission",
        "and working directories need `permission_rules:write` too and are refused while a reply runs; tools need",
        "`agents:write`.",
      ].join(" "),
      request: { json: SessionUpdateSchema, examples: ["latestVersion"] },
      answers: { 200: { description: "The session as it is now.", json: SessionSchema } },
      errors: ["conflict", "reply_running"],
    },
    deleteSession: {
      tag: "Sessions",
      summary: "Delete a session",
      description:
        "Stops what runs, ends its streams and erases its events and messages. Its usage stays in the sums, without its end user. After a 503 send the same request again.",
      answers: { 204: { description: "The session is erased." } },
    },
    forkSession: {
      tag: "Sessions",
      summary: "Fork a session",
      description: [
        "Opens a session with a copy of the source's conversation up to and including a message, in a log of its own, and",
        "with the source's settings. The source does not change and may be running: a reply that runs or waits is not",
        "copied. Client tokens and usage are not copied. A source with permission of its own (mode, directories, rules)",
        "is copied with it, which needs `permission_rules:write` too. A message of more than 9,000,000 bytes is not",
        "copied: fork before it.",
      ].join(" "),
      request: { json: ForkCreateSchema, examples: ["forkAtMessage", "forkAtEnd"] },
      answers: {
        201: {
          description: "The new session.",
          json: SessionSchema,
          headers: ["Location"],
        },
      },
      errors: [
        "cursor_ahead",
        "reply_running",
        "reply_awaiting",
        "conflict",
        "message_too_large",
        "quota_exceeded",
      ],
    },
  },
  pathParameters: {
    session_id: "The session.",
  },

  fieldDescriptions: {
    forked_from: "Where the conversation was copied from; null for a session that began empty.",
    time_zone:
      "A name of the IANA database; the agent is told the time there when a reply begins. Null for no time.",
    working_directories:
      "Absolute paths in which `accept_edits` lets files be changed. Writing them needs `permission_rules:write`.",
    "Session.queued_reply_ids": "Queued replies, in order.",
    "Session.reply_id": "The reply that runs or waits, or null.",
    "Session.agent_version":
      "The version that replies use. New sessions name one, follow `latest`, or keep the current one.",
    "Session.follows_latest": "Whether each reply takes the agent's newest version.",
    "Session.permission":
      "A mode that replaces the agent's, and rules in addition to the agent's. Writing it needs `permission_rules:write`.",
    "Session.permission.mode":
      "The decision for calls that no rule matches; null for the agent's mode.",
    "Session.permission.rules": "The session's first rules; they have a resource of their own.",
    "ForkedFrom.message_id": "The last message that was copied, or null when there was none.",
    "ForkedFrom.cursor": "The position of the source's stream up to which it was copied.",
    "Fork.at":
      "The last message to copy, by its id; or a cursor, to copy all messages that were complete there. All messages when left out.",
    "Fork.metadata": "The client's own labels; the source's when left out.",
    "Fork.end_user_id": "The tenant's own id of the person; the source's when left out.",
    "Fork.agent_version": "A version's number, or `latest`; the source's when left out.",
  },
  examples: {
    newSession: {
      summary: "A conversation with a customer",
      value: { agent_id: AGENT_ID, end_user_id: "customer-17" },
    },
    guardedSession: {
      summary: "A session in which each refund needs a confirmation",
      value: {
        agent_id: AGENT_ID,
        time_zone: "Europe/Berlin",
        permission: {
          rules: [{ tool_name: "refund_order", rule_content: null, behavior: "ask" }],
        },
      },
    },
    latestVersion: {
      summary: "Follow the agent's newest version",
      value: { agent_version: "latest" },
    },
    idleSession: { summary: "An idle session", value: session },
    forkAtMessage: { summary: "Up to a message", value: { at: "phone-5-message-1" } },
    forkAtEnd: { summary: "The whole conversation", value: {} },
  },
} as const satisfies Resource;

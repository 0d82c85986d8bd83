// Sessions: opened, copied, changed, erased.
import { ForkedFromSchema } from "../../protocol/api/answers/responses-conversation.ts";
import {
  SessionPageSchema,
  SessionSchema,
  SessionSummarySchema,
} from "../../protocol/api/answers/responses.ts";
import { ForkCreateSchema } from "../../protocol/api/fork.ts";
import {
  SessionCreateSchema,
  SessionListQuerySchema,
  SessionUpdateSchema,
} from "../../protocol/api/sessions.ts";
import { noContent } from "../operation.ts";
import { AGENT_ID, EXAMPLE_TIME, SESSION_ID } from "../refund-desk.ts";
import type { Resource } from "../resource.ts";

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
      summary: "Open a session",
      description: [
        "The session keeps the agent's version, the current one when none is named, or follows the newest. Permission and",
        "working directories need `permission_rules:write` too.",
      ].join(" "),
      body: { schema: "SessionCreate", examples: ["newSession", "guardedSession"] },
      answers: {
        201: {
          description: "The session.",
          json: "Session",
          headers: ["Location"],
          examples: ["idleSession"],
        },
      },
      errors: ["not_found", "conflict", "quota_exceeded"],
    },
    listSessions: {
      tag: "Sessions",
      summary: "List sessions",
      description:
        "In the order of their creation, the newest first; of one agent or of one end user when asked.",
      query: SessionListQuerySchema,
      answers: { 200: { description: "A page of sessions.", json: "SessionPage" } },
    },
    readSession: {
      tag: "Sessions",
      summary: "Read a session",
      description: "What goes on in it at this moment, and what waits for an answer.",
      answers: { 200: { description: "The session.", json: "Session", examples: ["idleSession"] } },
    },
    updateSession: {
      tag: "Sessions",
      summary: "Change a session",
      description: [
        "What is left out stays as it is; a version and a time zone take effect with the next reply. Permission and working",
        "directories need `permission_rules:write` too and are refused while a reply runs.",
      ].join(" "),
      body: { schema: "SessionUpdate", examples: ["latestVersion"] },
      answers: { 200: { description: "The session as it is now.", json: "Session" } },
      errors: ["conflict", "reply_running"],
    },
    deleteSession: {
      tag: "Sessions",
      summary: "Erase a session",
      description:
        "Stops what runs, ends its streams and erases its events and messages. What it has used stays in the sums of usage, without its end user. After a 503 send the same request again.",
      answers: { 204: noContent("The session is erased.") },
    },
    forkSession: {
      tag: "Sessions",
      summary: "Open a session with another one's conversation",
      description: [
        "The new session has the conversation up to and including a message, in a log of its own, and what the source is",
        "set to. The source is not touched and may be running: a reply that runs or waits is not copied. Client tokens and",
        "usage stay behind. A source with permission of its own (mode, directories, rules) is copied with it, which needs",
        "`permission_rules:write` too. A message of more than 9,000,000 bytes is not copied: fork before it.",
      ].join(" "),
      body: { schema: "ForkCreate", examples: ["forkAtMessage", "forkAtEnd"] },
      answers: {
        201: {
          description: "The new session.",
          json: "Session",
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
  requestSchemas: {
    SessionCreate: SessionCreateSchema,
    SessionUpdate: SessionUpdateSchema,
    ForkCreate: ForkCreateSchema,
  },
  answerSchemas: {
    Session: SessionSchema,
    SessionSummary: SessionSummarySchema,
    SessionPage: SessionPageSchema,
    ForkedFrom: ForkedFromSchema,
  },
  schemaDescriptions: {
    Session: "One conversation of one end user with one agent, at this moment.",
    SessionSummary:
      "A session in a list. Its status is as of the last time that a reply ended or began to wait.",
    ForkCreate: "What the new session differs in from its source.",
    ForkedFrom: "Where a session's conversation was copied from. The source may be gone since.",
  },
  fieldDescriptions: {
    forked_from: "Where the conversation was copied from; null for a session that began empty.",
    time_zone:
      "A name of the IANA database; the agent is told the time there when a reply begins. Null for no time.",
    working_directories:
      "Absolute paths in which `accept_edits` lets files be changed. Writing them needs `permission_rules:write`.",
    "Session.queued_reply_ids": "The replies that wait for their turn, in order.",
    "Session.reply_id": "The reply that runs or waits, or null.",
    "Session.agent_version":
      "The version that replies run. New sessions name one, follow `latest`, or keep the current one.",
    "Session.follows_latest": "Whether each reply takes the agent's newest version.",
    "Session.permission":
      "What holds in place of the agent's mode and beside its rules. Writing it needs `permission_rules:write`.",
    "Session.permission.mode": "What happens to a call that no rule decides; null is the agent's.",
    "Session.permission.rules": "The session's first rules; they have a resource of their own.",
    "ForkedFrom.message_id": "The last message that was copied, or null when there was none.",
    "ForkedFrom.cursor": "The position of the source's stream up to which it was copied.",
    "Fork.at":
      "The last message that is copied, by its id; or a position of the stream, and then all that was complete there. The end when left out.",
    "Fork.metadata": "The client's own labels; the source's when left out.",
    "Fork.end_user_id": "The tenant's own id of the person; the source's when left out.",
    "Fork.agent_version": "A version's number, or `latest`; what the source runs when left out.",
  },
  examples: {
    newSession: {
      summary: "A conversation with a customer",
      value: { agent_id: AGENT_ID, end_user_id: "customer-17" },
    },
    guardedSession: {
      summary: "A session in which refunds are always asked about",
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
    idleSession: { summary: "A session in which nothing runs", value: session },
    forkAtMessage: { summary: "Up to a message", value: { at: "phone-5-message-1" } },
    forkAtEnd: { summary: "All of it", value: {} },
  },
} as const satisfies Resource;

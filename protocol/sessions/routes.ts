// Routes on sessions and their messages.
import { ForkCreateSchema } from "./fork.ts";
import {
  SessionPageSchema,
  SessionSchema,
  SessionCreateSchema,
  SessionListQuerySchema,
  SessionUpdateSchema,
  WrittenSessionSchema,
  MessagePageSchema,
  ReadMessageSchema,
} from "./contract.ts";
import { ObservedSchema, ObserveSchema } from "./observe.ts";
import {
  FormPageQuerySchema,
  FormQuerySchema,
  MESSAGE_FORMAT_WORDS,
} from "../schemas/event-format.ts";
import {
  AgentScope1ReadMessageSchema,
  JavaReadMessageSchema,
  MESSAGE_PAGE_FORMS,
} from "./message-forms.ts";
import { StrictQuerySchema } from "../schemas/write-query.ts";
import { STATE_ROUTES } from "./state-routes.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { SESSION_WORDS } from "./words.ts";
import { SESSION_EXAMPLES } from "./examples.ts";

const SESSION_ROUTES = [
  {
    name: "createSession",
    method: "POST",
    path: "/v1/sessions",
    access: "sessions:write",
    keeps_keys: "database",
    body: "json",
    tag: "Sessions",
    summary: "Create a session",
    description: [
      "The session keeps the agent's version, the current one when none is named, or follows the newest. Permission and",
      "working directories need `permission_rules:write` too, tools of its own `agents:write`. Rules and tools that say",
      "nothing are accepted and named in `warnings`.",
    ].join(" "),
    query: StrictQuerySchema,
    request: { json: SessionCreateSchema, examples: ["newSession", "guardedSession"] },
    answers: {
      201: {
        description: "The session.",
        json: WrittenSessionSchema,
        headers: ["Location"],
        examples: ["idleSession"],
      },
    },
    errors: ["not_found", "conflict", "quota_exceeded"],
  },

  {
    name: "listSessions",
    method: "GET",
    path: "/v1/sessions",
    access: "sessions:read",
    body: "none",
    tag: "Sessions",
    summary: "List sessions",
    description: [
      "Newest first, optionally only those that all filters fit. `status` is one of the four states, `waiting` for either",
      "that waits, or `failed`: the last reply has failed. With `min_cost_usd` a page may be short or empty before the",
      "list ends: go on while `has_more`. `search` finds sessions with all of its words in their title or first message,",
      "the last one also as the beginning of a word, and of Chinese, Japanese or Korean any two characters; other filters",
      "then apply to what is found, as `min_cost_usd` does.",
    ].join(" "),
    query: SessionListQuerySchema,
    queryDescriptions: {
      room_id:
        "Only sessions of participants of this room, its moderator and those who have left among them.",
    },
    answers: { 200: { description: "A page of sessions.", json: SessionPageSchema } },
    errors: ["search_off"],
  },

  {
    name: "readSession",
    method: "GET",
    path: "/v1/sessions/{session_id}",
    access: "sessions:read",
    verb: "read",
    body: "none",
    tag: "Sessions",
    summary: "Get a session",
    description: "Its current status, and the tool calls that wait for an answer.",
    answers: {
      200: { description: "The session.", json: SessionSchema, examples: ["idleSession"] },
    },
  },

  {
    name: "updateSession",
    method: "PATCH",
    path: "/v1/sessions/{session_id}",
    access: "sessions:write",
    body: "json",
    tag: "Sessions",
    summary: "Update a session",
    description: [
      "Members that are left out do not change; a version, tools and a time zone take effect with the next reply. Permission",
      "and working directories need `permission_rules:write` too and are refused while a reply runs; tools need",
      "`agents:write`. Rules of the session that a version or tools leave without a call are named in `warnings`.",
    ].join(" "),
    query: StrictQuerySchema,
    request: { json: SessionUpdateSchema, examples: ["latestVersion"] },
    answers: { 200: { description: "The session as it is now.", json: WrittenSessionSchema } },
    errors: ["conflict", "reply_running", "session_in_room"],
  },

  {
    name: "deleteSession",
    method: "DELETE",
    path: "/v1/sessions/{session_id}",
    access: "sessions:write",
    body: "none",
    tag: "Sessions",
    summary: "Delete a session",
    description:
      "Stops what runs, ends its streams and erases its events and messages. Its usage stays in the sums, without its end user. After a 503 send the same request again.",
    answers: { 204: { description: "The session is erased." } },
    errors: ["session_in_room"],
  },

  {
    name: "listMessages",
    method: "GET",
    path: "/v1/sessions/{session_id}/messages",
    access: "sessions:read",
    verb: "read",
    body: "none",
    tag: "Messages",
    summary: "List a session's messages",
    description: [
      "The newest page first; inside a page the oldest message first. A message of more than 9,000,000 bytes comes with",
      "an empty `content` and `metadata.omitted: {bytes}`: read it by itself.",
    ].join(" "),
    query: FormPageQuerySchema,
    queryDescriptions: { format: MESSAGE_FORMAT_WORDS },
    answers: {
      200: {
        description: "A page of messages.",
        json: MessagePageSchema,
        translated: MESSAGE_PAGE_FORMS,
      },
    },
  },

  {
    name: "readMessage",
    method: "GET",
    path: "/v1/sessions/{session_id}/messages/{message_id}",
    access: "sessions:read",
    verb: "read",
    body: "none",
    tag: "Messages",
    summary: "Get a message",
    description: [
      "The message, whole however large, with the stream position that it is folded to. With another `format` than",
      "`agentscope` a message of more than 9,000,000 bytes comes as in a list.",
    ].join(" "),
    query: FormQuerySchema,
    queryDescriptions: { format: MESSAGE_FORMAT_WORDS },
    answers: {
      200: {
        description: "The message.",
        json: ReadMessageSchema,
        translated: [AgentScope1ReadMessageSchema, JavaReadMessageSchema],
      },
    },
  },

  {
    name: "observe",
    method: "POST",
    path: "/v1/sessions/{session_id}/observe",
    access: "replies:write",
    keeps_keys: "session",
    body: "media",
    tag: "Messages",
    summary: "Add messages without starting a reply",
    description: [
      "The model sees them in the next reply. Message ids have the same meaning as in a reply's input: the same id with",
      "the same content adds nothing. While a reply runs or waits no new message can be added. Events are told to readers",
      "of the session at any time; a hint is a new message.",
    ].join(" "),
    request: { json: ObserveSchema, examples: ["observedMessage", "toldEvents"] },
    answers: { 201: { description: "The messages as they are stored.", json: ObservedSchema } },
    errors: [
      "reply_running",
      "reply_awaiting",
      "session_in_room",
      "message_conflict",
      "hook_blocked",
      "hook_failed",
    ],
  },

  {
    name: "forkSession",
    method: "POST",
    path: "/v1/sessions/{session_id}/fork",
    access: "sessions:write",
    keeps_keys: "database",
    body: "small",
    tag: "Sessions",
    summary: "Fork a session",
    description: [
      "Opens a session with a copy of the source's conversation up to and including a message, in a log of its own, and",
      "with the source's settings. The source does not change and may be running: a reply that runs or waits is not",
      "copied. Client tokens and usage are not copied. A source with permission of its own (mode, directories, rules)",
      "is copied with it, which needs `permission_rules:write` too. A message of more than 9,000,000 bytes is not",
      "copied: fork before it. Rules that another version leaves without a call are copied and named in `warnings`.",
    ].join(" "),
    query: StrictQuerySchema,
    request: { json: ForkCreateSchema, examples: ["forkAtMessage", "forkAtEnd"] },
    answers: {
      201: {
        description: "The new session.",
        json: WrittenSessionSchema,
        headers: ["Location"],
      },
    },
    errors: [
      "cursor_ahead",
      "reply_running",
      "reply_awaiting",
      "conflict",
      "message_too_large",
      "session_in_room",
      "quota_exceeded",
    ],
  },

  ...STATE_ROUTES,
] as const satisfies readonly DocumentedRoute[];

export const SESSION_CONTRACT = {
  tags: {
    Sessions: "A conversation of one end user with one agent.",
    Messages: "The conversation, folded from its events.",
  },
  routes: SESSION_ROUTES,
  pathParameters: {
    session_id: { form: "ses", description: "The session." },
    message_id: { form: "any", description: "The message; an assistant's has its reply's id." },
  },
  queryParameters: {
    agent_name: "Only sessions of agents whose newest version has exactly this name.",
    parent_session_id: "Only sessions of agents that replies of this session have called.",
    search: "Only sessions with all of these words in their title or first message.",
    min_cost_usd: "Only sessions that have cost at least so much, as far as it is known.",
  },
  fields: SESSION_WORDS,
  examples: SESSION_EXAMPLES,
} as const satisfies Contract;

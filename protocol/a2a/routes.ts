// Routes of agents as servers of A2A: JSON-RPC at the base, HTTP+JSON below it, and the card.
import {
  A2aShownCardSchema,
  A2aKeysSchema,
  A2aRpcAnswerSchema,
  A2aRpcRequestSchema,
  A2aSendAnswerSchema,
  A2aSendRequestSchema,
} from "./contract.ts";
import { A2A_EXAMPLES } from "./examples.ts";
import { A2A_MEDIA_TYPE } from "./headers.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import {
  A2A_BASE,
  A2A_READ_HEADERS,
  A2A_REFUSED,
  A2A_STREAM,
  A2A_TASK_ROUTES,
  A2A_UNKNOWN,
} from "./task-routes.ts";
import { A2A_WORDS } from "./words.ts";

/** The path of the public keys of cards. */
export const A2A_KEYS_PATH = "/.well-known/a2a-keys.json";

const SEND_HEADERS = ["A2A-Version", "A2A-Extensions", "traceparent", "tracestate"] as const;

const A2A_ROUTES = [
  {
    name: "callA2a",
    method: "POST",
    path: A2A_BASE,
    access: "a2a_call",
    verb: "a2a_call",
    finds_session: true,
    takes_issued_tokens: true,
    body: "media",
    tag: "A2A",
    summary: "Call a method of A2A",
    description: [
      "JSON-RPC 2.0 of A2A 1.0, with all its methods. The method decides which right is needed: `SendMessage` and",
      "`SendStreamingMessage` take `replies:write`, with `sessions:write` for a new context; answers to calls that wait",
      "`confirmations:write` or `tool_results:write`; methods that read `sessions:read`. Besides an API key a client",
      "token is taken, which has the tasks of its session, and a JWT of a registered token issuer, whose end user has",
      "the tasks that are theirs.",
    ].join(" "),
    headers: [...SEND_HEADERS, "Last-Event-ID"],
    request: { json: A2aRpcRequestSchema, examples: ["a2aCall"] },
    answers: {
      200: {
        description: "The result or the error, or the stream of results.",
        json: A2aRpcAnswerSchema,
        other: "text/event-stream",
        examples: ["a2aResult"],
      },
    },
  },

  {
    name: "sendA2aMessage",
    method: "POST",
    path: `${A2A_BASE}/message:send`,
    access: "a2a_call",
    verb: "a2a_call",
    finds_session: true,
    takes_issued_tokens: true,
    body: "media",
    tag: "A2A",
    summary: "Send a message of A2A",
    description: [
      "Begins a task, or continues the one that `taskId` names. The answer waits until the task has ended or waits for",
      "somebody, unless `configuration.returnImmediately` is true. `messageId` makes a repeated request one act.",
    ].join(" "),
    headers: SEND_HEADERS,
    request: { json: A2aSendRequestSchema, examples: ["a2aSend"] },
    answers: {
      200: {
        description: "The task.",
        json: A2aSendAnswerSchema,
        media_type: A2A_MEDIA_TYPE,
        examples: ["a2aSent"],
      },
      ...A2A_REFUSED,
      ...A2A_UNKNOWN,
    },
  },

  {
    name: "streamA2aMessage",
    method: "POST",
    path: `${A2A_BASE}/message:stream`,
    access: "a2a_call",
    verb: "a2a_call",
    finds_session: true,
    takes_issued_tokens: true,
    body: "media",
    tag: "A2A",
    summary: "Send a message of A2A and stream the task",
    description:
      "As `message:send`, and the answer is the task's stream, which ends when the task has ended or waits for somebody.",
    headers: [...SEND_HEADERS, "Last-Event-ID"],
    request: { json: A2aSendRequestSchema, examples: ["a2aSend"] },
    answers: {
      200: { description: "The stream.", stream: A2A_STREAM },
      ...A2A_REFUSED,
      ...A2A_UNKNOWN,
    },
  },

  ...A2A_TASK_ROUTES,

  {
    name: "readA2aExtendedCard",
    method: "GET",
    path: `${A2A_BASE}/extendedAgentCard`,
    access: "sessions:read",
    verb: "read",
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "Get an agent's extended card",
    description:
      "The card for callers with a credential: its media types and the bounds of its streams beside what the card has.",
    headers: A2A_READ_HEADERS,
    answers: {
      200: {
        description: "The card.",
        json: A2aShownCardSchema,
        media_type: A2A_MEDIA_TYPE,
        examples: ["a2aCard"],
      },
      ...A2A_REFUSED,
    },
  },

  {
    name: "readA2aCard",
    method: "GET",
    path: `${A2A_BASE}/.well-known/agent-card.json`,
    access: "sessions:read",
    verb: "read",
    may_be_public: true,
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "Get an agent's card",
    description:
      "Signed. Without a credential only where the agent has `a2a.public_card`. With the ETag of an earlier answer in `If-None-Match` an unchanged card is not sent again.",
    headers: ["If-None-Match"],
    answers: {
      200: {
        description: "The card.",
        json: A2aShownCardSchema,
        headers: ["Cache-Control", "ETag"],
        examples: ["a2aCard"],
      },
      304: { description: "Unchanged.", headers: ["Cache-Control", "ETag"] },
    },
  },

  {
    name: "findA2aCard",
    method: "GET",
    path: "/v1/agents/{agent_id}/.well-known/agent-card.json",
    access: "sessions:read",
    verb: "read",
    may_be_public: true,
    finds_session: true,
    takes_issued_tokens: true,
    body: "none",
    tag: "A2A",
    summary: "Get an agent's card, beside its base",
    description:
      "The same card, for clients that take the base's last segment off before they add the well-known path.",
    headers: ["If-None-Match"],
    answers: {
      200: {
        description: "The card.",
        json: A2aShownCardSchema,
        headers: ["Cache-Control", "ETag"],
        examples: ["a2aCard"],
      },
      304: { description: "Unchanged.", headers: ["Cache-Control", "ETag"] },
    },
  },

  {
    name: "readA2aKeys",
    method: "GET",
    path: A2A_KEYS_PATH,
    access: "public",
    body: "none",
    tag: "A2A",
    summary: "Get the public keys of cards",
    description: "A JWK set: the keys whose signatures cards have, during a rotation both.",
    answers: {
      200: {
        description: "The keys.",
        json: A2aKeysSchema,
        headers: ["Cache-Control"],
      },
    },
  },

  {
    name: "receiveRemotePush",
    method: "POST",
    path: "/v1/remote-pushes/{remote_push_token}",
    access: "public",
    is_signed: true,
    body: "none",
    tag: "Callbacks",
    summary: "Be told that a task of an agent of another system has changed",
    description: [
      "An agent that a tool of the type `a2a` has called posts here, for one call and a day: the address and the secret are",
      "in the push notification config that it was given. The secret is in `X-A2A-Notification-Token`, or a bearer token.",
      "The body is not read: the platform asks the agent for its task. An address that is made up, has expired, or whose",
      "call has ended, is not found, and so is one without its secret.",
    ].join(" "),
    answers: { 204: { description: "The task is looked at." } },
    errors: ["not_found"],
  },
] as const satisfies readonly DocumentedRoute[];

export const A2A_CONTRACT = {
  tags: {
    A2A: "An agent as a server of the Agent2Agent protocol, for agents of other systems.",
  },
  routes: A2A_ROUTES,
  pathParameters: {
    a2a_task_id: { form: "any", description: "The task: the id of its reply." },
    remote_push_token: { form: "token", description: "The signed part of the address." },
    a2a_config_id: { form: "chosen", description: "The push notification config." },
  },
  queryParameters: {
    contextId: "Only tasks of this context.",
    historyLength: "Messages of the history at most; none for 0, all of them when left out.",
    includeArtifacts: "`true` for tasks with their artifacts.",
    pageSize: "Tasks on a page, 50 when left out, 100 at most.",
    pageToken: "`nextPageToken` of the page before.",
    statusTimestampAfter: "Only tasks whose status has changed at this time or later.",
  },
  fields: A2A_WORDS,
  examples: A2A_EXAMPLES,
} as const satisfies Contract;

// Routes of the Agent User Interaction Protocol.
import { AG_UI_STREAM } from "./ag-ui-event.ts";
import { AgUiJoinQuerySchema, AgUiRunQuerySchema } from "./ag-ui-queries.ts";
import { RunAgentInputSchema } from "./contract.ts";
import { RUN_REFUSALS } from "./run-refusals.ts";
import { SESSION_ID_HEADER } from "../requests/headers.ts";
import { REPLY_ID } from "../refund-desk.ts";
import { AgUiCapabilitiesSchema } from "./ag-ui-capabilities.ts";
import type { AgUiCapabilities } from "./ag-ui-capabilities.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { AG_UI_WORDS } from "./words.ts";

const RUN = { threadId: "customer-17", runId: "0b9a4c52-7f0d-4a56-9a2b-1c9e52a1f0b3" };

const NEXT_RUN = { threadId: "customer-17", runId: "5f0d5c7e-3b52-4c39-8f11-0f2b8d7a9c64" };

const question = { id: "message-1", role: "user", content: "I want my money back for A-1003." };

const frames = [
  { type: "RUN_STARTED", ...RUN, protocolVersion: "1.0", timestamp: 1_795_253_400_000 },
  { type: "TEXT_MESSAGE_START", messageId: "blk_1", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "blk_1", delta: "One moment." },
  { type: "TEXT_MESSAGE_END", messageId: "blk_1" },
  { type: "RUN_FINISHED", ...RUN, outcome: { type: "success" } },
];

const capabilities: AgUiCapabilities = {
  identity: { name: "Refund desk", type: "reprise", version: "3" },
  transport: { streaming: true, websocket: false, httpBinary: false, resumable: true },
  tools: {
    supported: true,
    items: [
      {
        name: "refund_order",
        description: "Gives a customer's money back.",
        parameters: { type: "object", properties: { order_id: { type: "string" } } },
      },
    ],
    parallelCalls: true,
    clientProvided: true,
  },
  output: { structuredOutput: false },
  state: { snapshots: true, deltas: true, memory: false, persistentState: true },
  reasoning: { streaming: true },
  multimodal: { input: { image: true, audio: true, video: false, pdf: true, file: false } },
  execution: { codeExecution: false, maxIterations: 20 },
  humanInTheLoop: {
    supported: true,
    approvals: true,
    interventions: false,
    feedback: false,
    interrupts: true,
    approveWithEdits: true,
  },
};

const AG_UI_ROUTES = [
  {
    name: "runAgUi",
    method: "POST",
    path: "/v1/agents/{agent_id}/ag-ui",
    access: "replies:write",
    verb: "reply",
    finds_session: true,
    body: "media",
    tag: "AG-UI",
    summary: "Run the agent for a client of AG-UI",
    description: [
      "The body is a `RunAgentInput` of AG-UI, the answer one run, as server-sent events whatever `Accept` says. A",
      "`threadId` that begins with `ses_` is a session's id; any other text names a session of this agent, which the first",
      "run opens (`sessions:write`). The server's conversation is authoritative: from the transcript it takes the user's",
      "messages and tool results that are new to it. The same request again, with its `runId`, is the same run, from its",
      "start or after `Last-Event-ID`; an `Idempotency-Key` has no effect. What a request under a known `runId` brings",
      "starts the next part of that run. A run with new messages whose `parentRunId` is not the thread's newest run begins in",
      "a fork behind that run, under the fork's own thread, with the rights of `POST /v1/sessions/{session_id}/fork`; later",
      "runs with a parent in the fork go on there. A run that is refused as the next step of its conversation",
      `gets a RUN_ERROR in the stream, with one of these codes: ${RUN_REFUSALS.join(", ")}. Resuming needs`,
      "`confirmations:write` or `tool_results:write` too, and a client token `read` and the verb. The answer also names",
      "its reply, in `Reprise-Reply-Id`, unless it was refused.",
    ].join(" "),
    query: AgUiRunQuerySchema,
    headers: ["Last-Event-ID", "traceparent", "tracestate"],
    request: { json: RunAgentInputSchema, examples: ["agUiRun", "agUiResume"] },
    answers: {
      200: {
        description: "The run, from RUN_STARTED to RUN_FINISHED or RUN_ERROR.",
        stream: AG_UI_STREAM,
        headers: [SESSION_ID_HEADER],
      },
    },
    errors: [
      "agent_mismatch",
      "conflict",
      "cursor_ahead",
      "invalid_cursor",
      "message_too_large",
      "reply_running",
      "session_in_room",
      "too_many_subscribers",
      "quota_exceeded",
    ],
  },

  {
    name: "joinAgUi",
    method: "GET",
    path: "/v1/agents/{agent_id}/ag-ui",
    access: "sessions:read",
    verb: "read",
    finds_session: true,
    token_in_query: true,
    body: "none",
    tag: "AG-UI",
    summary: "Stream a thread as AG-UI events",
    description: [
      "Without a position: the current messages and state, then new events, until no reply runs; with `Last-Event-ID`",
      "or `after`: all events after that frame. Server-sent events whatever `Accept` says. The same as the session's",
      "events with `format=ag-ui`, for clients that know only their thread.",
    ].join(" "),
    query: AgUiJoinQuerySchema,
    headers: ["Last-Event-ID"],
    answers: {
      200: {
        description: "The stream.",
        stream: AG_UI_STREAM,
        headers: [SESSION_ID_HEADER],
      },
      204: { description: "No event is left and no reply runs, or the thread has no messages." },
    },
    errors: ["agent_mismatch", "cursor_ahead", "invalid_cursor", "too_many_subscribers"],
  },

  {
    name: "readAgUiCapabilities",
    method: "GET",
    path: "/v1/agents/{agent_id}/ag-ui/capabilities",
    access: "agents:read",
    verb: "read",
    finds_session: true,
    body: "none",
    tag: "AG-UI",
    summary: "Get an agent's capabilities in AG-UI's format",
    description:
      "Those of the agent's newest version; for a client token, of the version that its session runs.",
    answers: {
      200: {
        description: "The capabilities.",
        json: AgUiCapabilitiesSchema,
        examples: ["agUiCapabilities"],
      },
    },
  },
] as const satisfies readonly DocumentedRoute[];

export const AG_UI_CONTRACT = {
  tags: {
    "AG-UI": "An agent for front ends that speak AG-UI, over the same log.",
  },
  routes: AG_UI_ROUTES,
  queryParameters: {
    thread_id: "The thread, as in `threadId`: a session's id, or a name of the client's own.",
  },
  fields: AG_UI_WORDS,
  examples: {
    agUiRun: {
      summary: "A question, with a tool of the page's own",
      value: {
        ...RUN,
        messages: [question],
        tools: [
          {
            name: "show_label",
            description: "Shows a label to the customer.",
            parameters: { type: "object", properties: { number: { type: "string" } } },
          },
        ],
        context: [{ description: "The page that is open", value: "/orders/A-1003" }],
        state: {},
      },
    },
    agUiResume: {
      summary: "A person allows the waiting call",
      value: {
        ...NEXT_RUN,
        messages: [question],
        resume: [
          {
            interruptId: `${REPLY_ID}:call_2`,
            status: "resolved",
            payload: { approved: true },
          },
        ],
      },
    },
    agUiStream: {
      summary: "A short run",
      value: frames
        .map(
          (event, index) =>
            `id: ${41 + index}.1\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
        )
        .join(""),
    },
    agUiCapabilities: { summary: "Of the refund desk", value: capabilities },
  },
} as const satisfies Contract;

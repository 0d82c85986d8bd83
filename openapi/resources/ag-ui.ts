// Runs and threads, for clients of AG-UI.
import { AG_UI_STREAM } from "../../protocol/ag-ui/ag-ui-event.ts";
import { AgUiJoinQuerySchema, AgUiRunQuerySchema } from "../../protocol/ag-ui/ag-ui-queries.ts";
import { RunAgentInputSchema } from "../../protocol/ag-ui/contract.ts";
import { RUN_REFUSALS } from "../../protocol/ag-ui/run-refusals.ts";
import { SESSION_ID_HEADER } from "../../protocol/requests/headers.ts";
import { REPLY_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

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

export const AG_UI = {
  tags: {
    "AG-UI": "An agent for front ends that speak AG-UI, over the same log.",
  },
  operations: {
    runAgUi: {
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
        "too_many_subscribers",
        "quota_exceeded",
      ],
    },
    joinAgUi: {
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
  },
  queryParameters: {
    thread_id: "The thread, as in `threadId`: a session's id, or a name of the client's own.",
  },

  fieldDescriptions: {
    "AgUiContext.description": "What it is.",
    "AgUiContext.value": "How it stands.",
    "AgUiEvent.timestamp": "Unix time in milliseconds; deltas of a text have none.",
    "AgUiResume.interruptId": "The interrupt's id.",
    "AgUiResume.metadata":
      "Only `agentscope.inputHash` is read: the hash of the input, as the interrupt had it.",
    "AgUiResume.payload":
      "The response, as the interrupt's `responseSchema` describes it: `{approved, editedArgs?, rules?, reason?, inputHash?}` for a call that asks, else the call's result.",
    "AgUiResume.status":
      "`cancelled`: there is no answer; the call does not run, or has no result.",
    "AgUiTool.description": "Tells the model what the tool does.",
    "AgUiTool.name":
      "The name by which the model calls it; it must differ from those of the agent's own tools.",
    "AgUiTool.parameters":
      "JSON Schema of the call's input; any object when left out. 64 KB at most; patterns may not refer back to their groups.",
    "RunAgent.context": "Context for the model in this run.",
    "RunAgent.messages":
      "The transcript as the client has it. Messages whose id the server knows are ignored.",
    "RunAgent.parentRunId": "The previous run: the newest of the thread.",
    "RunAgent.protocolVersion":
      "The version of AG-UI that the client speaks, `0.x` or `1.x`, in which the run is written; left out by clients of before 1.0.",
    "RunAgent.forwardedProps":
      "Of any shape, and ignored but for `__proxiedMCPRequest`, which reads a page of an MCP server in place of a run.",
    "RunAgent.resume": "Answers to the open interrupts, all of them.",
    "RunAgent.runId":
      "The client's own id of the run; sent again with nothing new it is the same run, else its next part.",
    "RunAgent.state":
      "The shared state as the client has it. It is applied when the client is up to date; otherwise the client gets the server's state.",
    "RunAgent.threadId": "A session's id, or a name of the client's own.",
    "RunAgent.tools": "Tools that the client runs itself.",
  },
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
  },
} as const satisfies Resource;

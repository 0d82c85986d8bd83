// Runs and threads, for clients of AG-UI.
import { AgUiEventSchema } from "../../protocol/api/ag-ui/ag-ui-event.ts";
import { AgUiJoinQuerySchema, AgUiRunQuerySchema } from "../../protocol/api/ag-ui/ag-ui-queries.ts";
import {
  AgUiContextSchema,
  AgUiMessageSchema,
  AgUiPartSchema,
  AgUiResumeSchema,
  AgUiSourceSchema,
  AgUiToolSchema,
  RunAgentInputSchema,
} from "../../protocol/api/ag-ui/ag-ui.ts";
import { RUN_REFUSALS } from "../../protocol/api/ag-ui/run-refusals.ts";
import { SESSION_ID_HEADER } from "../../protocol/session-id-header.ts";
import { noContent } from "../operation.ts";
import { REPLY_ID } from "../refund-desk.ts";
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
        "The body is a `RunAgentInput` of AG-UI 1.0, the answer one run, as server-sent events whatever `Accept` says. A",
        "`threadId` that begins with `ses_` is a session's id; any other text names a session of this agent, which the first",
        "run opens (`sessions:write`). The server's conversation is the truth: of the transcript it takes the user's messages",
        "and tool results that it does not know. The same `runId` again is the same run, from its start or after",
        "`Last-Event-ID`; an `Idempotency-Key` does nothing. What is wrong with a run as the next step of its conversation is",
        `told in the stream, as RUN_ERROR with one of these codes: ${RUN_REFUSALS.join(", ")}. Resuming needs`,
        "`confirmations:write` or `tool_results:write` too, and a client token `read` and the verb. The answer also names",
        "its reply, in `Reprise-Reply-Id`, unless it was refused.",
      ].join(" "),
      query: AgUiRunQuerySchema,
      headers: ["Last-Event-ID", "traceparent", "tracestate"],
      body: { schema: "RunAgentInput", examples: ["agUiRun", "agUiResume"] },
      answers: {
        200: {
          description: "The run, from RUN_STARTED to RUN_FINISHED or RUN_ERROR.",
          isEventStream: "ag-ui",
          headers: [SESSION_ID_HEADER],
        },
      },
      errors: [
        "agent_mismatch",
        "conflict",
        "cursor_ahead",
        "invalid_cursor",
        "reply_running",
        "too_many_subscribers",
        "quota_exceeded",
      ],
    },
    joinAgUi: {
      tag: "AG-UI",
      summary: "Join a thread as a client of AG-UI",
      description: [
        "Without a position the messages and the state as they are, then what comes, until nothing runs; with",
        "`Last-Event-ID` or `after` all that follows that frame. Server-sent events whatever `Accept` says. The same as the",
        "session's events with `format=ag-ui`, for clients that know their thread alone.",
      ].join(" "),
      query: AgUiJoinQuerySchema,
      headers: ["Last-Event-ID"],
      answers: {
        200: {
          description: "The stream.",
          isEventStream: "ag-ui",
          headers: [SESSION_ID_HEADER],
        },
        204: noContent(
          "Nothing is left and nothing runs, or nobody has said anything in the thread.",
        ),
      },
      errors: ["agent_mismatch", "cursor_ahead", "invalid_cursor", "too_many_subscribers"],
    },
  },
  queryParameters: {
    thread_id: "The thread, as in `threadId`: a session's id, or a name of the client's own.",
  },
  requestSchemas: {
    RunAgentInput: RunAgentInputSchema,
    AgUiMessage: AgUiMessageSchema,
    AgUiPart: AgUiPartSchema,
    AgUiSource: AgUiSourceSchema,
    AgUiTool: AgUiToolSchema,
    AgUiContext: AgUiContextSchema,
    AgUiResume: AgUiResumeSchema,
  },
  answerSchemas: {
    AgUiEvent: AgUiEventSchema,
  },
  schemaDescriptions: {
    AgUiContext: "Something that the client tells the model.",
    AgUiEvent: "An event of AG-UI 1.0; docs/protocol.md says what becomes which.",
    AgUiEventStream:
      "Server-sent events. Each frame has `id:` (`<seq>.<k>`, a cursor), `event:` (the type) and `data:` (one AgUiEvent as JSON on one line). Comment lines are heartbeats.",
    AgUiMessage:
      "A message of the client's transcript. Of roles other than user and tool the id alone is read.",
    AgUiPart: "A piece of what a user says or a tool gave.",
    AgUiResume: "The answer to one interrupt.",
    AgUiSource: "Bytes in base64, or where they are.",
    AgUiTool: "A tool that the client runs itself.",
    RunAgentInput:
      "What AG-UI's clients send. Members that are not known are ignored, and null is taken as left out. Tools and context together may take 262,144 bytes as JSON.",
  },
  fieldDescriptions: {
    "AgUiContext.description": "What it is.",
    "AgUiContext.value": "How it stands.",
    "AgUiEvent.timestamp": "Unix time in milliseconds; pieces of a text go without.",
    "AgUiResume.interruptId": "The interrupt's id.",
    "AgUiResume.metadata":
      "Only `agentscope.inputHash` is read: the hash of the input, brought back.",
    "AgUiResume.payload":
      "What was asked for, as the interrupt's `responseSchema` has it: `{approved, editedArgs?, rules?, inputHash?}` for a call that asks, else the call's result.",
    "AgUiResume.status": "`cancelled`: nobody answers; the call does not run, or has no result.",
    "AgUiTool.description": "Tells the model what the tool does.",
    "AgUiTool.name": "The name by which the model calls it; none of the agent's own tools has it.",
    "AgUiTool.parameters":
      "JSON Schema of the call's input; any object when left out. 64 KB at most; patterns may not refer back to their groups.",
    "RunAgent.context": "What the model is told for this run.",
    "RunAgent.messages":
      "The transcript as the client has it. What the server knows by its id is ignored.",
    "RunAgent.parentRunId": "The run that this one follows: the newest of its thread.",
    "RunAgent.resume": "Answers to the open interrupts, all of them.",
    "RunAgent.runId": "The client's own id of the run; sent again it is the same run.",
    "RunAgent.state":
      "The shared state as the client has it. It is taken when the client is up to date, and otherwise corrected.",
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
      summary: "A person allows the call that waits",
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

// An agent for clients of AG-UI.
import { SESSION_ID_HEADER } from "../protocol/session-id-header.ts";
import { AgUiJoinQuerySchema, AgUiRunQuerySchema } from "../protocol/api/ag-ui/ag-ui-queries.ts";
import { RUN_REFUSALS } from "../protocol/api/ag-ui/run-refusals.ts";
import { noContent, type Operation } from "./operation.ts";

export const AG_UI_OPERATIONS = {
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
  readAgUiCapabilities: {
    tag: "AG-UI",
    summary: "Read what an agent can do, in AG-UI's words",
    description:
      "Of the agent's newest version; for a client token of the version that its session runs.",
    answers: {
      200: {
        description: "The capabilities.",
        json: "AgUiCapabilities",
        examples: ["agUiCapabilities"],
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;

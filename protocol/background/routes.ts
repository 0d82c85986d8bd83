// Routes on the tasks of a session, and the address to which a tool's server posts a task's result.
import { ASKED_AT, REPLY_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import {
  SessionTaskListSchema,
  SessionTaskSchema,
  TaskReceiptSchema,
  TaskResultSchema,
} from "./contract.ts";
import { BACKGROUND_WORDS } from "./words.ts";

const TASK_ID = "task_01kaj2vh7b9d1f3h5k7n9q1s3v";

const working = {
  id: TASK_ID,
  kind: "background",
  reply_id: REPLY_ID,
  tool_call_id: "call_01kaj2vh1k4n7q1s5v9x3z6b0d",
  tool_name: "write_report",
  status: "working",
  message: null,
  waits_for: "callback",
  created_at: ASKED_AT,
  expires_at: "2026-11-23T09:30:00.000Z",
  ended_at: null,
  woken_reply_id: null,
  paused: false,
};

const BACKGROUND_ROUTES = [
  {
    name: "listTasks",
    method: "GET",
    path: "/v1/sessions/{session_id}/tasks",
    access: "sessions:read",
    verb: "read",
    body: "none",
    tag: "Sessions",
    summary: "List the tasks",
    description: [
      "Calls that were let go and work in the background, with those that have ended within a week, and the tasks of MCP",
      "servers that calls of the open reply wait for. All that work, and the newest of the others, 200 at most.",
    ].join(" "),
    answers: {
      200: {
        description: "The tasks.",
        json: SessionTaskListSchema,
        examples: ["sessionTasks"],
      },
    },
  },

  {
    name: "cancelTask",
    method: "POST",
    path: "/v1/sessions/{session_id}/tasks/{task_id}/cancel",
    access: "replies:write",
    verb: "interrupt",
    keeps_keys: "session",
    body: "none",
    tag: "Sessions",
    summary: "Stop a task",
    description: [
      "Stops a background task: its request is closed, a result that is posted later is refused, and its end begins no",
      "reply; the model is told at its next call. A call that waits for a task of MCP ends with an error, and the server is",
      "told. A task that has ended stays as it is.",
    ].join(" "),
    answers: {
      200: {
        description: "The task after it.",
        json: SessionTaskSchema,
        examples: ["stoppedTask"],
      },
    },
    errors: ["conflict"],
  },

  {
    name: "endTask",
    method: "POST",
    path: "/v1/task-callbacks/{task_token}",
    access: "public",
    is_signed: true,
    body: "media",
    tag: "Callbacks",
    summary: "Post the result of a background task",
    description: [
      "The address itself is the credential: a tool with `background_after_ms` gets it as `callback_url` with each call, for",
      "that call alone and for a day. The body is what the tool would have answered. It is taken once: the same bytes again",
      "are answered with 200 and `applied: false`, other ones with `conflict`, and so is a task that was stopped or has ended otherwise.",
    ].join(" "),
    request: { json: TaskResultSchema, examples: ["taskResult"] },
    answers: {
      200: {
        description: "The result is durable.",
        json: TaskReceiptSchema,
        examples: ["taskReceipt"],
      },
    },
    errors: ["unauthenticated", "not_found", "conflict", "body_too_large"],
  },
] as const satisfies readonly DocumentedRoute[];

export const BACKGROUND_CONTRACT = {
  routes: BACKGROUND_ROUTES,
  pathParameters: {
    task_id: { form: "task", description: "The task." },
    task_token: { form: "token", description: "The signed part of the address." },
  },
  fields: BACKGROUND_WORDS,
  examples: {
    sessionTasks: { summary: "A report that is being written", value: { data: [working] } },
    stoppedTask: {
      summary: "The report is not wanted any more",
      value: {
        ...working,
        status: "cancelled",
        message: "It was stopped by a person.",
        ended_at: "2026-11-22T09:35:00.000Z",
      },
    },
    taskResult: {
      summary: "The report is written",
      value: { output: "The report has 12 pages.", state: "success" },
    },
    taskReceipt: {
      summary: "The result was taken",
      value: { task_id: TASK_ID, applied: true },
    },
  },
} as const satisfies Contract;

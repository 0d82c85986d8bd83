// Diagnostics of replies.
import { ReplyDiagnosticsSchema } from "../../../protocol/diagnostics/contract.ts";
import { EXAMPLE_TIME, REPLY_ID, SESSION_ID } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

const diagnostics = {
  reply_id: REPLY_ID,
  session_id: SESSION_ID,
  status: "error",
  agent_version: 3,
  summary:
    "The model endpoint models.example answered 401 (invalid_api_key), asked for gpt-5 by version 3 of the agent.",
  hint: "Check the credential crd_01JD2PW8Q9X7M3K5N1T4R6V8Z0: its secret may be wrong, revoked or for another endpoint.",
  error: {
    type: "authentication",
    message: "The model provider did not accept the credential of this agent.",
  },
  model_calls: [
    {
      number: 1,
      model: "gpt-5",
      provider: "openai",
      host: "models.example",
      credential_id: "crd_01JD2PW8Q9X7M3K5N1T4R6V8Z0",
      outcome: "failed",
      started_at: EXAMPLE_TIME,
      duration_ms: 212,
      first_output_ms: null,
      tries: 1,
      failed_tries: [
        {
          kind: "credential_refused",
          http_status: 401,
          code: "invalid_api_key",
          message: "Incorrect API key provided: [redacted].",
          request_id: "req_7d0c1f",
          error_type: "authentication",
          failed_at: EXAMPLE_TIME,
          duration_ms: 210,
          hint: "Check the credential crd_01JD2PW8Q9X7M3K5N1T4R6V8Z0: its secret may be wrong, revoked or for another endpoint.",
        },
      ],
      finish_reason: null,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        cache_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
      usage_estimated: false,
      cost_usd: 0,
    },
  ],
  model_calls_omitted: 0,
  tool_calls: [],
  tool_calls_omitted: 0,
  recovery: { epoch: 1, machines_lost: 0, ran_ms: 214, retry_at: null },
};

export const DIAGNOSTICS = {
  operations: {
    readDiagnostics: {
      tag: "Replies",
      summary: "Find out why a reply failed",
      description: [
        "For API keys alone. The reply's model calls with their timings, tries and, for each failed try, the provider's",
        "status, code and redacted message; its tool calls with their statuses; its waits; how it ended, and what to do",
        "next. Also while it runs. Nothing of it is in a stream, a message, a fork or an export. Tool calls that neither",
        "ran nor waited have their reason in the message.",
      ].join(" "),
      answers: {
        200: {
          description: "What is known of the reply.",
          json: ReplyDiagnosticsSchema,
          examples: ["failedReplyDiagnostics"],
        },
      },
    },
  },

  fieldDescriptions: {
    "ReplyDiagnostics.summary": "How the reply ended and why, in one sentence.",
    "ReplyDiagnostics.hint": "What to do next, or null.",
    "ReplyDiagnostics.agent_version": "The version of the agent that the reply runs with.",
    "ReplyDiagnostics.model_calls": "Oldest first; of very many the newest.",
    "ReplyDiagnostics.model_calls_omitted": "Older model calls that are left out.",
    "ReplyDiagnostics.tool_calls": "Those that ran or waited, in the order in which they ended.",
    "ReplyDiagnostics.tool_calls_omitted": "Older tool calls that are left out.",
    "ReplyDiagnostics.recovery": "What happened to the machines that ran the reply.",
    "ReplyDiagnostics.recovery.epoch": "The number of its execution.",
    "ReplyDiagnostics.recovery.machines_lost": "How often a machine was lost while it ran.",
    "ReplyDiagnostics.recovery.ran_ms": "Milliseconds that it has run, without its waits.",
    "ReplyDiagnostics.recovery.retry_at": "When a failed model call is made again, or null.",
    "ModelCallDiagnostics.number": "Counts the model calls of the reply from 1.",
    "ModelCallDiagnostics.model": "The model's name.",
    "ModelCallDiagnostics.provider": "Which adapter made the call; null when its machine was lost.",
    "ModelCallDiagnostics.host": "Host and port of the endpoint, or null.",
    "ModelCallDiagnostics.credential_id":
      "The credential that was sent, or null. Never its secret.",
    "ModelCallDiagnostics.outcome":
      "`unknown`: the machine was lost during the call, which was then made again.",
    "ModelCallDiagnostics.first_output_ms": "Milliseconds until the first output, or null.",
    "ModelCallDiagnostics.tries": "How often the model was called.",
    "ModelCallDiagnostics.failed_tries": "The tries that failed, oldest first.",
    "ModelCallDiagnostics.finish_reason": "Why the model stopped, in the provider's word, or null.",
    "ModelCallDiagnostics.usage_estimated":
      "Whether the usage is an estimate by characters, because the call did not end by itself.",
    "ModelCallDiagnostics.cost_usd":
      "What the call cost by the vendor's list prices of its time, in US dollars, rounded to a billionth; null while it has not ended, and when a part of it is not known.",
    started_at: "When it began.",
    duration_ms: "Milliseconds until it ended; null while it has not.",
    "FailedTry.kind": "What went wrong.",
    "FailedTry.http_status": "The provider's HTTP status, or null when it gave none.",
    "FailedTry.code": "The provider's error code or type, or null.",
    "FailedTry.message": "The provider's message, redacted and cut, or null.",
    "FailedTry.request_id": "The provider's id of the request, or null: its support asks for it.",
    "FailedTry.error_type": "The type of the error that the reply gets when no try is left.",
    "FailedTry.failed_at": "When it failed.",
    "FailedTry.duration_ms": "Milliseconds that the try took.",
    "FailedTry.hint": "What to do next.",
    "ToolCallDiagnostics.number": "Counts the recorded tool calls of the reply from 1.",
    "ToolCallDiagnostics.tool_call_id": "The call.",
    "ToolCallDiagnostics.outcome":
      "`unknown`: the machine was lost during the call, which may have taken effect.",
    "ToolCallDiagnostics.http_status": "The HTTP status of the tool's server, or null.",
    "ToolCallDiagnostics.failure": "What went wrong, or null.",
    "CallFailure.kind": "What went wrong.",
    "CallFailure.http_status": "The HTTP status, or null.",
    "CallFailure.code": "An error code, or null.",
    "CallFailure.message": "What the platform says about it, or null.",
    "CallFailure.request_id": "Null.",
    "CallFailure.hint": "What to do next.",
    "ToolCallDiagnostics.waits": "Its waits for people and external systems, in order.",
    "CallWait.kind": "Who has to answer: a person, or an external system.",
  },
  examples: {
    failedReplyDiagnostics: {
      summary: "A credential that the provider refused",
      value: diagnostics,
    },
  },
} as const satisfies Resource;

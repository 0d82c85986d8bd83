// Routes on the diagnostics of a reply.
import { ReplyDiagnosticsSchema } from "./contract.ts";
import { EXAMPLE_TIME, REPLY_ID, SESSION_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { DIAGNOSTICS_WORDS } from "./words.ts";

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

const DIAGNOSTICS_ROUTES = [
  {
    name: "readDiagnostics",
    method: "GET",
    path: "/v1/sessions/{session_id}/replies/{reply_id}/diagnostics",
    access: "replies:read",
    body: "none",
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
] as const satisfies readonly DocumentedRoute[];

export const DIAGNOSTICS_CONTRACT = {
  routes: DIAGNOSTICS_ROUTES,
  fields: DIAGNOSTICS_WORDS,
  examples: {
    failedReplyDiagnostics: {
      summary: "A credential that the provider refused",
      value: diagnostics,
    },
  },
} as const satisfies Contract;

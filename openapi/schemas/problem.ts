// The body of every error response, RFC 9457. Members that come with one code only say so.
import type { Resource } from "../resource.ts";

export const PROBLEM = {
  fieldDescriptions: {
    "FieldError.detail": "What is wrong there.",
    "FieldError.pointer": "RFC 6901 in fragment form, such as `#/input/0/text` or `#/query/limit`.",
    "Problem.agent_pointer":
      "With conflict at a session: where the agent names a credential that was removed.",
    "Problem.code": "For programs.",
    "Problem.detail": "For people: what is wrong with this request, and how to correct it.",
    "Problem.error": "With compression_failed: why no summary could be made.",
    "Problem.errors": "The places in the request that are wrong.",
    "Problem.hook": "With hook_blocked and hook_failed: the name of the hook.",
    "Problem.max_bytes": "With body_too_large: the bytes that the body may have.",
    "Problem.pending": "With reply_running and reply_awaiting: the waiting calls.",
    "Problem.queued": "With queue_full: the number of queued replies.",
    "Problem.reply_id": "With reply_running and reply_awaiting: the current reply.",
    "Problem.request_id": "Include it when you report a failure; also in X-Request-Id.",
    "Problem.required_scope": "With insufficient_scope: the scope that the key lacks.",
    "Problem.status": "The HTTP status.",
    "Problem.title": "What the code means.",
    "Problem.type": "A URI of the code.",
    "Problem.version":
      "With state_conflict, state_invalid and version_mismatch: the current version of the state.",
    "Problem.reply":
      "With call_not_pending: the reply that the event named; null when there is none.",
    "Problem.required_verb": "With verb_missing: the verb that the credential lacks.",
    "Problem.rule": "With denied_by_rule: the rule.",
    "Problem.same_answer":
      "With confirmation_used and call_not_pending: whether the earlier answer was the same.",
    "Problem.state": "With call_not_pending: the call's state; null when there is no such call.",
    "Problem.message_id": "The message that is too large.",
    "Problem.tool_call_id": "The call that was refused.",
    "Problem.kind": "With hook_failed and mcp_failed: what went wrong, such as `timeout`.",
    "Problem.authorization":
      "With mcp_failed, where a sign-in is missing: its address and its connection.",
    "Problem.http_status": "With mcp_failed: the server's HTTP status; null when there was none.",
    "Problem.quota": "With quota_exceeded: the name of the quota.",
    "Problem.limit": "With quota_exceeded: its limit, where that is known.",
    "Problem.retry_after_ms":
      "With quota_exceeded: milliseconds after which the quota may have room again; also in `Retry-After`.",
  },
  examples: {
    problem: {
      summary: "A field that is not known",
      value: {
        type: "urn:reprise:problem:validation_failed",
        title: "The request does not fit its schema",
        status: 400,
        detail: "the body does not fit; `errors` says where",
        code: "validation_failed",
        request_id: "req_01kaj2vh6j0m4p7s1v5x9z3b6d",
        errors: [{ pointer: "#/colour", detail: "is not a known field" }],
      },
    },
  },
} as const satisfies Resource;

// Words of fields that the schemas of this room have.
export const WEBHOOK_WORDS = {
  callback_verbs:
    "What the callback addresses in its messages allow. `confirm` and `tool_result` when left out; a message about calls that no verb covers has no address.",
  "WebhookEndpoint.description": "What it is for, in the tenant's own words.",
  "WebhookEndpoint.disabled":
    "A disabled endpoint gets no messages, and events of that time are not sent later.",
  "WebhookEndpoint.disabled_at": "When it was disabled, or null.",
  "WebhookEndpoint.disabled_reason":
    "`tenant` by a request, `gone` by an answer of 410, `failing` when no message was delivered for five days.",
  "WebhookEndpoint.events": "The events that are sent to it.",
  "WebhookEndpoint.circuit":
    "`open` while five attempts in a row got no answer, 429 or 5xx: messages wait. `half_open` when one message may be tried.",
  "WebhookEndpoint.circuit_retry_at":
    "When the next message is tried while the circuit is open; null when it is closed.",
  "WebhookEndpoint.failing_since":
    "The first failed attempt since the last successful one, or null.",
  "WebhookEndpoint.old_secret_expires_at":
    "Until when messages are also signed with the secret before the last rotation; null when there is none.",
  "WebhookEndpoint.member_links":
    "Whether `member.invited` is sent with the link, which signs a person in. To set it, or to change the address of an endpoint that has it, needs `members:write`.",
  "WebhookEndpoint.secret": "The secret, `whsec_…`. It is shown this once.",
  "WebhookEndpoint.updated_at": "When it was last changed by a request.",
  "WebhookEndpoint.url":
    "Where messages are posted: https to a public host, and no redirect is followed.",
  "WebhookEndpoint.warnings":
    "What is odd about it: another endpoint has the same URL. Left out when there is nothing to say.",
  "WebhookSecret.overlap_ms":
    "Milliseconds for which messages are also signed with the old secret; 0 ends it at once.",
  attempt_count: "Attempts that were made, those before a redelivery included.",
  endpoint_id: "The webhook endpoint.",
  message_id: "The header `webhook-id`: the same for every endpoint and attempt.",
  "ReadWebhookDelivery.attempts": "Every attempt, oldest first.",
  "ReadWebhookDelivery.payload":
    "The body. The token of its callback address is left out, since it is a credential.",
  "ReadWebhookDelivery.next_attempt_at":
    "When the next attempt is due, or until when the current one may last; null when there is none. A past time means that it is due and waits for a free sender.",
  "ReadWebhookDelivery.status": "`pending` between attempts too.",
  "WebhookAttempt.at": "When it began.",
  "WebhookAttempt.attempt": "Counts from 1, over redeliveries too.",
  "WebhookAttempt.duration_ms": "Milliseconds until it was answered or given up.",
  "WebhookAttempt.error": "Why the attempt failed; null for one that succeeded.",
  "WebhookAttempt.status": "The HTTP status of the answer; null when there was none.",
  "WebhookCall.answered":
    "True for a call that was answered, or has expired, before it could be announced; nothing is to be done about it.",
  "WebhookCall.expires_at": "When the call expires, or null for never.",
  "WebhookCall.input_hash":
    "Sent back with a confirmation, it binds the answer to the call's input.",
  "WebhookCall.kind": "Who has to answer: a person, or an external system.",
  "WebhookCall.tool_call_id": "The call.",
  "WebhookCall.tool_name": "The tool that is called.",
  "WebhookDelivery.next_attempt_at":
    "When the next attempt is due, or until when the current one may last; null when there is none. A past time means that it is due and waits for a free sender.",
  "WebhookDelivery.status": "`pending` between attempts too.",
} as const;

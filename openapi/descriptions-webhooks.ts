// What the document says about webhook endpoints, their deliveries, and what messages carry.

export const WEBHOOK_SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  CreatedWebhookEndpoint: "The one answer that shows the endpoint's secret.",
  ReadWebhookDelivery: "A delivery with its body and its attempts.",
  WebhookAttempt: "One request to the endpoint.",
  WebhookCall: "A call that waits, without its input.",
  WebhookDelivery: "One message for one endpoint, and how far it has come.",
  WebhookEndpoint: "Where a tenant wants to hear of events, without its secret.",
  WebhookEndpointCreate: "A new endpoint.",
  WebhookEndpointUpdate: "What is left out stays as it is.",
  WebhookEvent:
    "The body of a message. Thin: ids and states. Ignore types and members that you do not know.",
  WebhookFilter: "A type of event, all of a group, or all.",
  CallbackVerb:
    "What the holder of a callback address may do: answer whether calls may run, change the input of those that may, bring results. `edit` goes with `confirm`.",
};

export const WEBHOOK_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "ReadWebhookDelivery.attempts": "Every attempt, oldest first.",
  "ReadWebhookDelivery.payload":
    "The body. The token of its callback address is left out: whoever has it may answer.",
  "WebhookAttempt.at": "When it began.",
  "WebhookAttempt.attempt": "Counts from 1, over redeliveries too.",
  "WebhookAttempt.duration_ms": "Milliseconds until it was answered or given up.",
  "WebhookAttempt.error": "Why it did not count, or null when it did.",
  "WebhookAttempt.status": "The HTTP status of the answer; null when there was none.",
  "WebhookCall.expires_at": "When nobody can answer it any more, or null for never.",
  "WebhookCall.input_hash": "Comes back with a confirmation: binds it to the call's input.",
  "WebhookCall.kind": "Who has to answer: a person, or a system outside.",
  "WebhookCall.tool_call_id": "The call.",
  "WebhookCall.tool_name": "The tool that is called.",
  attempt_count: "Attempts that were made, those before a redelivery included.",
  endpoint_id: "The webhook endpoint.",
  message_id: "The header `webhook-id`: the same for every endpoint and attempt.",
  "WebhookDelivery.next_attempt_at":
    "When it is due, or until when the attempt under way may last; null when it is over. A past time: it waits for its turn.",
  "ReadWebhookDelivery.next_attempt_at":
    "When it is due, or until when the attempt under way may last; null when it is over. A past time: it waits for its turn.",
  "WebhookDelivery.status": "`pending` between attempts too.",
  "ReadWebhookDelivery.status": "`pending` between attempts too.",
  "WebhookEndpoint.description": "What it is for, in the tenant's own words.",
  "WebhookEndpoint.disabled":
    "A disabled endpoint gets nothing, and what happens meanwhile is not sent later.",
  "WebhookEndpoint.disabled_at": "Since when it is disabled, or null.",
  "WebhookEndpoint.disabled_reason":
    "`tenant` by a request, `gone` by an answer of 410, `failing` when nothing had arrived for five days.",
  callback_verbs:
    "What the addresses in its messages may do. `confirm` and `tool_result` when left out; a message about calls that no verb is for has no address.",
  "WebhookEndpoint.events": "What it wants to hear of.",
  "WebhookEndpoint.circuit":
    "`open` while five attempts in a row got no answer, 429 or 5xx: messages wait. `half_open` when one of them may try again.",
  "WebhookEndpoint.circuit_retry_at":
    "From when on one message is let through to an endpoint whose circuit is open; null when it is closed.",
  "WebhookEndpoint.failing_since": "The first failed attempt since the last that arrived, or null.",
  "WebhookEndpoint.old_secret_expires_at":
    "Until when the secret before the last rotation signs too; null when there is none.",
  "WebhookEndpoint.secret": "The secret, `whsec_…`. It is shown this once.",
  "WebhookEndpoint.updated_at": "When it was last changed by a request.",
  "WebhookEndpoint.url":
    "Where messages are posted: https to a public host, and no redirect is followed.",
  "WebhookSecret.overlap_ms":
    "Milliseconds for which the old secret goes on signing too; 0 ends it at once.",
};

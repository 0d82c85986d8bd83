// Words of fields that the schemas of this room have.
export const INBOUND_WORDS = {
  "AnswerReceipt.reply_id": "The reply; null for an interrupt where nothing ran.",
  "AnswerReceipt.status": "The reply's, right after the answer was durable.",
  "Callback.expires_at": "Until when the address can be used.",
  "Callback.pending": "The calls that still wait; empty once each was answered.",
  "InboundEndpoint.old_secret_expires_at":
    "Until when the secret before the last rotation is valid; null when there is none.",
  "InboundEndpoint.secret": "Signs the webhooks, `whsec_…`. It is shown this once.",
  "InboundMessage.event": "The event, as it would be posted to the session.",
  "InboundSecret.overlap_ms":
    "Milliseconds for which the old secret stays valid; 0 ends it at once.",
} as const;

// What the document says about client tokens, callbacks and inbound endpoints.

export const INBOUND_SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  AnswerReceipt: "What became of an answer; the reply's content stays where it is.",
  Callback: "What still waits of the calls that a callback address is about.",
  CallbackAnswer: "An answer to one or several of the calls.",
  ClientToken: "The one answer that shows a client token.",
  MintedToken: "A client token that a request with the same Idempotency-Key has minted before.",
  ClientTokenCreate: "A token for one session. Every member may be left out.",
  CreatedInboundEndpoint: "The one answer that shows the secret.",
  LiveToken: "A client token that opens its session at this moment.",
  InboundEndpoint: "Where one of the tenant's own systems posts signed events.",
  InboundEndpointCreate: "A new endpoint; its secret is made by the platform.",
  InboundMessage: "The body of a signed webhook.",
  InboundSecretRotate: "How long the old secret is believed too.",
  StreamTicket: "The one answer that shows a stream ticket.",
  StreamTicketCreate: "Which stream the ticket is for.",
  Verb: "What a client token may do. `edit` goes with `confirm`: a yes may then come with another input than the one that was asked about.",
};

export const INBOUND_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "AnswerReceipt.reply_id": "The reply; null for an interrupt where nothing ran.",
  "AnswerReceipt.status": "The reply's, right after the answer was durable.",
  "Callback.expires_at": "Until when the address can be used.",
  "Callback.pending": "The calls that still wait; empty once each was answered.",
  "ClientToken.allowed_origins":
    "Origins of the pages that may use it, such as `https://app.example`; any origin, and apps that are no pages, when left out.",
  "ClientToken.expires_at": "Until when it opens anything; its streams end then.",
  "ClientToken.key_id": "The API key that minted it; null for one from before this was kept.",
  "ClientToken.token": "The token itself. It is shown this once.",
  "ClientToken.ttl_seconds": "Seconds that it lives.",
  "ClientToken.verbs": "What it may do.",
  "InboundEndpoint.old_secret_expires_at":
    "Until when the secret before the last rotation is believed; null when there is none.",
  "InboundEndpoint.secret": "Signs the webhooks, `whsec_…`. It is shown this once.",
  "StreamTicket.expires_at": "Until when it opens the stream; the stream ends then.",
  "StreamTicket.path":
    "Path and query of the stream. In the answer with the ticket in it, as `EventSource` is to open it.",
  "StreamTicket.ticket": "The ticket itself, `tk_…`. It is shown this once.",
  "StreamTicket.token_id":
    "The client token that the ticket ends with. Of a ticket that an API key has minted it is a token of its own, which can be revoked.",
  "LiveToken.allowed_origins":
    "Origins of the pages that may use it; null for any, and for one from before this was kept.",
  "LiveToken.created_at": "When it was minted; null for one from before this was kept.",
  "LiveToken.expires_at": "Until when it opens anything; its streams end then.",
  "LiveToken.key_id": "The API key that minted it; null for one from before this was kept.",
  "LiveToken.verbs": "What it may do; null for one from before this was kept.",
  "MintedToken.key_id": "The API key that minted it; null for one from before this was kept.",
  "MintedToken.allowed_origins":
    "Origins of the pages that may use it; null for any, and for apps that are no pages.",
  "MintedToken.verbs": "What it may do.",
  "InboundMessage.event": "The event, as it would be posted to the session.",
  "InboundSecret.overlap_ms":
    "Milliseconds for which the old secret is believed too; 0 ends it at once.",
};

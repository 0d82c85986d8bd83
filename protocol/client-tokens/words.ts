// Words of fields that the schemas of this room have.
export const CLIENT_TOKEN_WORDS = {
  "ClientToken.allowed_origins":
    "Origins of the pages that may use it, such as `https://app.example`; any origin, and apps that are no pages, when left out.",
  "ClientToken.expires_at": "When it expires; its streams end then.",
  "ClientToken.key_id": "The API key that minted it; null for one from before this was kept.",
  "ClientToken.token": "The token itself. It is shown this once.",
  "ClientToken.ttl_seconds": "Its lifetime in seconds.",
  "ClientToken.verbs": "What it may do.",
  "StreamTicket.expires_at": "When it expires; the stream ends then.",
  "StreamTicket.path":
    "Path and query of the stream. In the answer it includes the ticket, ready for `EventSource`.",
  "StreamTicket.ticket": "The ticket itself, `tk_…`. It is shown this once.",
  "StreamTicket.token_id":
    "The client token that the ticket depends on. For a ticket that an API key minted it is a token of its own, which can be revoked.",
  "LiveToken.allowed_origins":
    "Origins of the pages that may use it; null for any, and for one from before this was kept.",
  "LiveToken.created_at": "When it was minted; null for one from before this was kept.",
  "LiveToken.expires_at": "When it expires; its streams end then.",
  "LiveToken.key_id": "The API key that minted it; null for one from before this was kept.",
  "LiveToken.verbs": "What it may do; null for one from before this was kept.",
  "MintedToken.key_id": "The API key that minted it; null for one from before this was kept.",
  "MintedToken.allowed_origins":
    "Origins of the pages that may use it; null for any, and for apps that are no pages.",
  "MintedToken.verbs": "What it may do.",
} as const;

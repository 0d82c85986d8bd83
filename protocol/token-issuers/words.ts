// Words of fields that the schemas of this room have.
export const TOKEN_ISSUER_WORDS = {
  "TokenIssuer.agent_ids": "The agents that its tokens may ask; null for all.",
  "TokenIssuer.allowed_origins":
    "Origins of pages that may send its tokens; null for none but the platform's own and those of the user's machine.",
  "TokenIssuer.audience":
    "What the claim `aud` has to contain; null for the address of the agent's MCP endpoint.",
  "TokenIssuer.created_by":
    "The API key that registered it. Revoking that key with everything made with it ends the issuer.",
  "TokenIssuer.end_user_claim": "The claim whose text is the end user's id.",
  "TokenIssuer.end_user_share":
    "What each of its end users may have, where that is not as the tenant's `quotas.end_user_share` says; null for nothing of its own.",
  "TokenIssuer.end_user_prefix":
    "Put before the claim's text, so that the end users of two issuers differ.",
  "TokenIssuer.issuer": "The claim `iss`, character by character.",
  "TokenIssuer.jwks_url": "Where the issuer publishes its keys, as a JSON Web Key Set.",
  "TokenIssuer.verbs":
    "What the end user may do. Without `confirm` and `tool_result` they see what waits, and others answer it; with `memory` they see, correct and delete what is remembered of them.",
} as const;

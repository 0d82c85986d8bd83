// Words of fields that the schemas of this room have.
export const MEMBER_WORDS = {
  "Member.name": "How the person is called. It stays in decisions and in the audit.",
  "Member.email":
    "The person's address, in lower case; null where none was given, and 30 days after the member has left. No two members of a tenant have the same.",
  "Member.role":
    "`owner`: everything; `developer`: everything but people, keys and `permission_bypass:write`; `approver`: reads, and answers calls that wait; `viewer`: reads.",
  "Member.status":
    "`invited`: the last link was not used yet, or the sign-in provider was deleted; `active`: signs in; `removed`: has left, for good.",
  "Member.tenant_id": "The tenant. The operator names it; a tenant's own key may leave it out.",
  "Member.created_by": "The API key or the member that invited the person, or `operator`.",
  "Member.link_expires_at": "When the last link expires; null when it was used or withdrawn.",
  "Member.last_sign_in_at": "When a console session was opened last; null before the first.",
  "Member.removed_at": "When the member was removed, or null.",
  "Member.url":
    "To be opened by the person, once, within a day. The secret is in the fragment, which browsers do not send. It is shown this once.",
  "Member.api_keys": "Keys that the member made. They go on until they are revoked.",
  "Member.api_keys.prefix": "The key's first characters.",
  "MemberLink.tenant_id": "The tenant, which the operator names.",
  "Member.token_issuer_ids": "Token issuers that the member registered. They go on.",
  "Member.sign_in_provider_ids": "Sign-in providers that the member registered. They go on.",
  "Member.rule_session_ids":
    "Sessions in which the member added rules, 100 at most, newest first. The rules go on.",
} as const;

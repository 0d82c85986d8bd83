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
  "OperatorMember.name": "How the person is called. It stays in the audit.",
  "OperatorMember.email":
    "The person's address, in lower case; null where none was given, and 30 days after the person has left. No two of the operator's people have the same.",
  "OperatorMember.role":
    "`owner`: everything; `administrator`: everything but the operator's own people, their sign-in providers and links to the console; `support`: reads tenants, what they use and the health.",
  "OperatorMember.status":
    "`invited`: the last link was not used yet, or the sign-in provider was deleted; `active`: signs in; `removed`: has left, for good.",
  "OperatorMember.created_by":
    "The person that sent the invitation, or `operator` for the operator's key.",
  "OperatorMember.link_expires_at":
    "When the last link expires; null when it was used or withdrawn.",
  "OperatorMember.last_sign_in_at":
    "When a console session was opened last; null before the first.",
  "OperatorMember.removed_at": "When the person was removed, or null.",
  "OperatorMember.url":
    "To be opened by the person, once, within a day. The secret is in the fragment, which browsers do not send. It is shown this once.",
  "OperatorMember.api_keys":
    "Keys of tenants that the person made, 100 at most, newest first. They go on until they are revoked.",
  "OperatorMember.api_keys.prefix": "The key's first characters.",
  "OperatorMember.api_keys.tenant_id": "The tenant whose key it is.",
  "OperatorMember.sign_in_provider_ids":
    "Sign-in providers that the person registered. They go on.",
} as const;

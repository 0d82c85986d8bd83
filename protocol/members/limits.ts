// Limits of members. Each with its unit and its reason.

/** Milliseconds until a member's link expires: a day, since it lies in a mail until the person works again. */
export const MEMBER_LINK_MS = 86_400_000;
/** Characters of an e-mail address: the longest that mail systems carry. */
export const MAX_EMAIL_CHARACTERS = 254;
/** Sessions that the answer to a removal lists for the rules that the member wrote there, newest first. */
export const MAX_LISTED_RULE_SESSIONS = 100;
/** People of the operator who have not left: a large platform's staff on call. */
export const MAX_OPERATOR_MEMBERS = 100;
/** Keys of tenants that the answer to the removal of one of the operator's people lists, newest first. */
export const MAX_LISTED_TENANT_KEYS = 100;
/** Milliseconds until a challenge expires: time to fetch a phone and unlock it. */
export const PASSKEY_CHALLENGE_MS = 300_000;
/** Characters of a text in a passkey's message: an attestation that nobody asked for has some thousand. */
export const MAX_PASSKEY_FIELD_CHARACTERS = 16_384;
/** Rows of expired challenges that a sign-in deletes: more than it adds, so that they cannot pile up. */
export const MAX_PURGED_CHALLENGES = 100;
/** Milliseconds for which a former member's address is kept: a month, in which a removal by mistake is noticed. */
export const MEMBER_ADDRESS_KEPT_MS = 2_592_000_000;
/** Addresses that one step of the cron sweep erases. */
export const MAX_ERASED_ADDRESSES = 1_000;

// Limits of sign-in providers. Each with its unit and its reason.

/** Providers of one tenant, and of the operator: few have more than one identity provider for their staff. */
export const MAX_SIGN_IN_PROVIDERS = 10;
/** Characters of an issuer, a client's id, or an address in a provider's configuration. */
export const MAX_PROVIDER_ADDRESS_CHARACTERS = 500;
/** Characters of a client's secret of the operator's: providers give some dozens. */
export const MAX_CLIENT_SECRET_CHARACTERS = 1_000;
/** Milliseconds for which a provider's configuration is used without reading it again. */
export const PROVIDER_CACHE_MS = 600_000;
/** Configurations in the cache of one isolate. */
export const MAX_CACHED_PROVIDERS = 500;
/** Milliseconds from the first click to the way back: a person types a password and takes out a phone. */
export const PROVIDER_SIGN_IN_MS = 600_000;
/** Sign-ins that one browser has under way at a time, such as in two tabs: each has a cookie of 600 bytes. */
export const MAX_SIGN_INS_UNDER_WAY = 4;
/** Characters of the query with which a browser comes back: codes of some providers take a few thousand. */
export const MAX_RETURNED_CHARACTERS = 8_192;
/** Characters of a provider's own words that are shown to a person who was refused. */
export const MAX_PROVIDER_WORDS_CHARACTERS = 200;
/** Characters of an identity at a provider, the claim `sub`: OpenID Connect allows 255. */
export const MAX_SUBJECT_CHARACTERS = 255;

// Limits of the agents of other systems that ours talk to over A2A. Each with its unit and its reason.

/** Bytes of a card, fetched or inline: one with a hundred skills has some 40 kB. */
export const MAX_CARD_BYTES = 131_072;
/** JSON values in a card: what is read costs time on every reply. */
export const MAX_CARD_VALUES = 8_192;
/** Levels of a card: the deepest member of the protocol, a scope of a flow of a scheme, is at the sixth. */
export const MAX_CARD_DEPTH = 32;
/** Keys that a definition pins: the agent's own, and those of a rotation. */
export const MAX_PINNED_KEYS = 8;
/** Characters of a member of a pinned key: an RSA key of 8,192 bits has 1,366. */
export const MAX_KEY_CHARACTERS = 2_048;
/** Characters of names that a definition has for registries, files, schemes and scopes. */
export const MAX_CARD_NAME_CHARACTERS = 200;
/** Milliseconds until the whole of a card, or of an answer of a registry or token endpoint, has to be there. */
export const CARD_REQUEST_MS = 10_000;
/** Interfaces, schemes and skills of a card that are read: the rest of a longer list changes nothing. */
export const MAX_CARD_LIST = 100;
/** Characters of a text of a card that a model or a person may be shown. */
export const MAX_CARD_TEXT_CHARACTERS = 4_096;
/** Characters of a text of a card in a list of agents: what people read at a glance. */
export const MAX_SHOWN_CARD_CHARACTERS = 1_000;
/** Skills of a card in such a list. */
export const MAX_SHOWN_SKILLS = 20;
/** Signatures of a card that are checked: one for each key of a rotation, at a moment of processor time each. */
export const MAX_CARD_SIGNATURES = 8;
/** Milliseconds before its end from which a token is not used any more: a request takes a moment to get there. */
export const TOKEN_MARGIN_MS = 10_000;
/** Milliseconds for which a reply waits for a task of the agent that gives it: as long as a patient person does. */
export const MAX_REMOTE_REPLY_MS = 3_600_000;
/** Milliseconds before a reply looks again at a task that has become silent. */
export const REMOTE_LOOK_MS = 5_000;
/** Characters of what a task waits for, as a call keeps it. */
export const MAX_REMOTE_QUESTION_CHARACTERS = 65_536;
/** Seconds in which a person answers what an agent of another system needs for a reply; nothing is held open meanwhile. */
export const REMOTE_REPLY_ANSWER_SECONDS = 86_400;

// Limits of rooms. Each with its unit and its reason.

/** Participants of a room, agents and people: what one says all others are told, so a round costs the square of it. */
export const MAX_ROOM_PARTICIPANTS = 16;
/** Participants that a room has had, those who have left among them: each stays in the room's state. */
export const MAX_ROOM_MEMBERS_EVER = 64;
/** Characters of a participant's name: it stands before each message that a model reads. */
export const MAX_PARTICIPANT_NAME_CHARACTERS = 64;
/** Rounds of one discussion, unless the room says otherwise. */
export const DEFAULT_ROOM_ROUNDS = 10;
/** Rounds of one discussion at most: a discussion that nobody reads must end. */
export const MAX_ROOM_ROUNDS = 1_000;
/** Tokens that a discussion may be bound to at most. */
export const MAX_ROOM_TOKENS = 1_000_000_000;
/** Milliseconds that a discussion or a turn may be bound to at least: the objects of a turn need some of it. */
export const MIN_ROOM_TIME_MS = 1_000;
/** Milliseconds that a discussion may be bound to at most: 30 days, within which people answer. */
export const MAX_ROOM_TIME_MS = 30 * 24 * 60 * 60_000;
/** Milliseconds that a turn may be bound to at most: a week, as a waiting reply's. */
export const MAX_TURN_TIME_MS = 7 * 24 * 60 * 60_000;
/** Milliseconds that a person who is waited for has, unless the room says otherwise: a day. */
export const DEFAULT_INPUT_TIMEOUT_MS = 24 * 60 * 60_000;
/** Characters of an announcement: a page that every agent reads first. */
export const MAX_ANNOUNCEMENT_CHARACTERS = 20_000;
/** Names in the `mentions` of one message: all participants. */
export const MAX_MENTIONS = 16;
/** Bytes of a person's form, as JSON: as large as that of an MCP server's question. */
export const MAX_PERSON_FORM_BYTES = 16_384;
/** Rooms of an end user or a tenant that one step of an erasure goes over, each an object with its sessions. */
export const ERASED_ROOMS_AT_ONCE = 25;

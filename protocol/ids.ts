// Typed, sortable ids: `<prefix>_<26 characters>`, starting with the time. Opaque to clients.

export type IdPrefix =
  | "ten"
  | "key"
  | "mem"
  | "memstore"
  | "memver"
  | "memcon"
  | "crd"
  | "agt"
  | "ses"
  | "rep"
  | "msg"
  | "tok"
  | "fil"
  | "rpl"
  | "room"
  | "trn"
  | "task"
  | "skl"
  | "rul"
  | "whk"
  | "whd"
  | "whm"
  | "whi"
  | "mcp"
  | "trg"
  | "trun"
  | "tki"
  | "sip"
  | "con"
  | "blk"
  | "call"
  | "sum"
  | "aud"
  | "cse"
  | "req";

/** Crockford's base 32: no ambiguous letters, and alphabetical order is numerical order. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARACTERS = 10;
/** 16 characters of 5 bits: as many random bits as a ULID has. */
export const ID_RANDOM_BYTES = 16;

/**
 * @param nowMs Unix time in milliseconds; ids of one prefix sort by it.
 * @param random At least {@link ID_RANDOM_BYTES} random bytes, of which 5 bits each are used.
 */
export function formatId<Prefix extends IdPrefix>(
  prefix: Prefix,
  nowMs: number,
  random: Uint8Array,
): `${Prefix}_${string}` {
  let time = "";
  for (let rest = nowMs, index = 0; index < TIME_CHARACTERS; index += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let tail = "";
  for (const byte of random.subarray(0, ID_RANDOM_BYTES)) tail += ALPHABET.charAt(byte & 31);
  return `${prefix}_${time}${tail}`;
}

/**
 * The time part of session ids that are derived from a client's own name and must be reproducible: greater than that of
 * every other id.
 */
export const TIMELESS_ID_MS = 32 ** TIME_CHARACTERS - 1;

/** The time of an id of {@link formatId} in Unix milliseconds; 0 for any other text. */
export function idTimeMs(id: string): number {
  const time = id.slice(id.indexOf("_") + 1).slice(0, TIME_CHARACTERS);
  let timeMs = 0;
  for (const character of time) timeMs = timeMs * 32 + Math.max(ALPHABET.indexOf(character), 0);
  return timeMs;
}

/** The id of the event with this seq. */
export function eventId(seq: number): string {
  return `evt_${seq}`;
}

/** Whether `value` has the form of an id with this prefix; says nothing about its existence. */
export function isId<Prefix extends IdPrefix>(
  prefix: Prefix,
  value: string,
): value is `${Prefix}_${string}` {
  return (
    value.startsWith(`${prefix}_`) &&
    /^[0-9a-hjkmnp-tv-z]{26}$/.test(value.slice(prefix.length + 1))
  );
}

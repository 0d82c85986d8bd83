// The format of API keys: `rk_<mode>_`, 27 characters of random bits, 6 characters of checksum. The checksum lets a
// mistyped or truncated key be refused without a database query.

export type KeyMode = "live" | "test";

/** 160 bits: too many to guess, and 27 characters of base 62 hold them. */
export const KEY_RANDOM_BYTES = 20;
const BODY_CHARACTERS = 27;
/** 62 ** 6 is more than 2 ** 32. */
const CHECKSUM_CHARACTERS = 6;
/** Characters of the prefix that identifies a key in lists and logs; 4 of them are random. */
const SHOWN_CHARACTERS = 12;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PATTERN = new RegExp(
  `^rk_(?:live|test)_[0-9A-Za-z]{${BODY_CHARACTERS + CHECKSUM_CHARACTERS}}$`,
);

/** @param random {@link KEY_RANDOM_BYTES} bytes from a cryptographic source. */
export function formatApiKey(mode: KeyMode, random: Uint8Array): string {
  let value = 0n;
  for (const byte of random) value = value * 256n + BigInt(byte);
  const text = `rk_${mode}_${toBase62(value, BODY_CHARACTERS)}`;
  return text + checksum(text);
}

/** Whether `text` has the form of a key and its checksum fits; says nothing about its existence. */
export function isApiKey(text: string): boolean {
  if (!PATTERN.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}

/** The first characters of a key, which lists show. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}

function toBase62(value: bigint, characters: number): string {
  let text = "";
  for (let rest = value; text.length < characters; rest /= 62n) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
  }
  return text;
}

/** CRC-32 of ASCII text: catches every single wrong character and all but one in 2 ** 32 of the rest. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return toBase62(BigInt(~crc >>> 0), CHECKSUM_CHARACTERS);
}

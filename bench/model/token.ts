// A token of the mock model: a mark, its number and the time at which it was written, so that the reader can measure
// latency and detect missing tokens, however they were merged.

/** A character that occurs nowhere else in the platforms' output. */
export const TOKEN_MARK = "~";
const NUMBER_DIGITS = 4;
const MOMENT_DIGITS = 7;
const RADIX = 36;
/** Some 21 hours; differences are taken modulo this. */
const MOMENTS = RADIX ** MOMENT_DIGITS;
export const TOKEN_CHARACTERS = TOKEN_MARK.length + NUMBER_DIGITS + MOMENT_DIGITS;

/** Microseconds of the monotonic clock that all processes of the machine share. */
export function nowMicroseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000_000 + Math.floor(nanoseconds / 1_000);
}

export function writeToken(number: number, atMicroseconds: number): string {
  const digits = number.toString(RADIX).padStart(NUMBER_DIGITS, "0");
  return `${TOKEN_MARK}${digits}${(atMicroseconds % MOMENTS).toString(RADIX).padStart(MOMENT_DIGITS, "0")}`;
}

/** @param at Index of the token's mark in the text. */
export function readTokenNumber(text: string, at: number): number {
  const from = at + TOKEN_MARK.length;
  return Number.parseInt(text.slice(from, from + NUMBER_DIGITS), RADIX);
}

/** Latency of a token in milliseconds. */
export function readTokenAgeMs(text: string, at: number, nowMicrosecond: number): number {
  const from = at + TOKEN_MARK.length + NUMBER_DIGITS;
  const written = Number.parseInt(text.slice(from, from + MOMENT_DIGITS), RADIX);
  return ((nowMicrosecond - written + MOMENTS) % MOMENTS) / 1_000;
}

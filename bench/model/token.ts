// A token of the mock model: a mark, its number and the moment at which it was written. So whoever reads it at the
// far end knows how long it was under way and that none is missing, however it was merged with its neighbours.

/** Stands nowhere else in what the platforms send. */
export const TOKEN_MARK = "~";
const NUMBER_DIGITS = 4;
const MOMENT_DIGITS = 7;
const RADIX = 36;
/** Some 21 hours; differences are taken modulo this. */
const MOMENTS = RADIX ** MOMENT_DIGITS;
export const TOKEN_CHARACTERS = TOKEN_MARK.length + NUMBER_DIGITS + MOMENT_DIGITS;

/** Microseconds by the machine's monotonic clock, which all its processes share. */
export function nowMicroseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000_000 + Math.floor(nanoseconds / 1_000);
}

export function writeToken(number: number, atMicroseconds: number): string {
  const digits = number.toString(RADIX).padStart(NUMBER_DIGITS, "0");
  return `${TOKEN_MARK}${digits}${(atMicroseconds % MOMENTS).toString(RADIX).padStart(MOMENT_DIGITS, "0")}`;
}

/** @param at Where the token's mark stands in the text. */
export function readTokenNumber(text: string, at: number): number {
  const from = at + TOKEN_MARK.length;
  return Number.parseInt(text.slice(from, from + NUMBER_DIGITS), RADIX);
}

/** Milliseconds that a token was under way. */
export function readTokenAgeMs(text: string, at: number, nowMicrosecond: number): number {
  const from = at + TOKEN_MARK.length + NUMBER_DIGITS;
  const written = Number.parseInt(text.slice(from, from + MOMENT_DIGITS), RADIX);
  return ((nowMicrosecond - written + MOMENTS) % MOMENTS) / 1_000;
}

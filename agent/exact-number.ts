// Numbers whose digits a double does not hold, such as ids of Snowflake kind. They are kept as the text that they were
// written as: `JSON.stringify` writes it as it is, and code that computes with such a number asks for its double.

interface SourceOfValue {
  /** The text of a primitive value. */
  readonly source?: string;
}

/** The proposal JSON.parse source text access, which both runtimes have and ES2022 does not. */
const JSON_WITH_SOURCE = JSON as unknown as {
  parse(
    text: string,
    revive: (name: string, value: unknown, of: SourceOfValue) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** Only a text with one of these has such a number; looking for it costs a tenth of parsing. */
const MAY_BE_INEXACT = /\d{16}|\d\.\d*[eE]|[eE]\+?\d{2}/;
/** Each decimal with so many significant digits has a double of its own. */
const EXACT_DIGITS = 15;

/** False for a text that {@link parseExact} reads as `JSON.parse` does. */
export function mayBeInexact(text: string): boolean {
  return MAY_BE_INEXACT.test(text);
}

/**
 * As `JSON.parse`, but for whole numbers beyond 2^53 and numbers beyond the range of doubles, which keep their text.
 * @throws {SyntaxError} As `JSON.parse`; {RangeError} for a text of many thousand levels.
 */
export function parseExact(text: string): unknown {
  if (!mayBeInexact(text)) return JSON.parse(text);
  return JSON_WITH_SOURCE.parse(text, (_name, value, { source }) =>
    typeof value === "number" && source !== undefined && !isHeld(value, source)
      ? JSON_WITH_SOURCE.rawJSON(source)
      : value,
  );
}

/** The text of a number that is no double; null for any other value. */
export function exactText(value: unknown): string | null {
  return JSON_WITH_SOURCE.isRawJSON(value) ? value.rawJSON : null;
}

/** The nearest double of a number that is none; any other value as it is. */
export function asDouble(value: unknown): unknown {
  const text = exactText(value);
  return text === null ? value : Number(text);
}

/** A copy in which all such numbers are doubles, for code that computes with them. Other values stay the same objects. */
export function withDoubles(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const text = exactText(value);
  if (text !== null) return Number(text);
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map(withDoubles);
    return items.some((item, index) => item !== (value as unknown[])[index]) ? items : value;
  }
  const before = Object.entries(value);
  const after = before.map(([name, member]) => [name, withDoubles(member)] as const);
  return after.some(([, member], index) => member !== before[index]?.[1])
    ? Object.fromEntries(after)
    : value;
}

/**
 * `after` with the digits of `before`, for numbers at the same place whose doubles are equal: who changes a value in
 * JavaScript gives back all others as doubles.
 */
export function withDigitsOf(before: unknown, after: unknown): unknown {
  const text = exactText(before);
  if (text !== null) return Number(text) === asDouble(after) ? before : after;
  if (!isMembers(before) || !isMembers(after)) return after;
  if (Array.isArray(after)) {
    if (!Array.isArray(before)) return after;
    return (after as unknown[]).map((item, index) => withDigitsOf(before[index], item));
  }
  return Object.fromEntries(
    Object.entries(after).map(([name, member]) => [
      name,
      Object.hasOwn(before, name) ? withDigitsOf(before[name], member) : member,
    ]),
  );
}

/** The text of the first number in a value that no double is equal to; null when there is none. */
export function firstInexact(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const text = exactText(value);
  if (text !== null) return isEqualDouble(text) ? null : text;
  for (const member of Object.values(value)) {
    const found = firstInexact(member);
    if (found !== null) return found;
  }
  return null;
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Whether the double that stands for a number is written with its digits, or has them for certain. */
function isHeld(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return true;
  return String(value) === source || significantDigits(source) <= EXACT_DIGITS;
}

function significantDigits(source: string): number {
  const mantissa = source.split(/[eE]/)[0] ?? "";
  return mantissa.replaceAll(/\D/g, "").replace(/^0+/, "").length;
}

function isEqualDouble(text: string): boolean {
  return (
    /^-?\d+$/.test(text) && Number.isFinite(Number(text)) && BigInt(Number(text)) === BigInt(text)
  );
}

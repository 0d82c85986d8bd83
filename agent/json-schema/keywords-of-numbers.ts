// Keywords of numbers.
import type { Keyword } from "./keyword.ts";
import { numberOf } from "./keyword-values.ts";
import type { Visit } from "./visit.ts";

/** `multipleOf` divides integers of some hundred digits. */
const MULTIPLE_STEPS = 200;

export const KEYWORDS_OF_NUMBERS: ReadonlyMap<string, Keyword<number>> = new Map<
  string,
  Keyword<number>
>([
  [
    "minimum",
    (visit, value) => {
      const least = numberOf(visit, "minimum");
      // In draft 4 the exclusive bounds were flags beside `minimum` and `maximum`.
      const isOut = visit.schema["exclusiveMinimum"] === true ? value <= least : value < least;
      if (isOut) visit.fail(() => `is ${value}, and has to be ${least} at least`);
    },
  ],
  [
    "maximum",
    (visit, value) => {
      const most = numberOf(visit, "maximum");
      const isOut = visit.schema["exclusiveMaximum"] === true ? value >= most : value > most;
      if (isOut) visit.fail(() => `is ${value}, and may be ${most} at most`);
    },
  ],
  [
    "exclusiveMinimum",
    (visit, value) => {
      if (isFlag(visit, "exclusiveMinimum")) return;
      const bound = numberOf(visit, "exclusiveMinimum");
      if (value <= bound) visit.fail(() => `is ${value}, and has to be above ${bound}`);
    },
  ],
  [
    "exclusiveMaximum",
    (visit, value) => {
      if (isFlag(visit, "exclusiveMaximum")) return;
      const bound = numberOf(visit, "exclusiveMaximum");
      if (value >= bound) visit.fail(() => `is ${value}, and has to be below ${bound}`);
    },
  ],
  [
    "multipleOf",
    (visit, value) => {
      const divisor = numberOf(visit, "multipleOf");
      visit.spend(MULTIPLE_STEPS);
      if (!isMultipleOf(value, divisor)) {
        visit.fail(() => `is ${value}, and has to be a multiple of ${divisor}`);
      }
    },
  ],
]);

function isFlag({ schema }: Visit, keyword: string): boolean {
  return typeof schema[keyword] === "boolean";
}

/** Computed on the decimal digits as written: 0.3 is a multiple of 0.1. */
function isMultipleOf(value: number, divisor: number): boolean {
  if (!(divisor > 0) || !Number.isFinite(value) || !Number.isFinite(divisor)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const one = toDecimal(value);
  const other = toDecimal(divisor);
  const shift = BigInt(Math.abs(one.exponent - other.exponent));
  const isShifted = one.exponent > other.exponent;
  const dividend = isShifted ? one.digits * 10n ** shift : one.digits;
  return dividend % (isShifted ? other.digits : other.digits * 10n ** shift) === 0n;
}

function toDecimal(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

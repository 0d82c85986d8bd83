// Measures JSON text before it is parsed: nesting and number of values determine the cost of parsing and validation.

export interface JsonShapeLimits {
  /** Nesting of arrays and objects. */
  readonly depth: number;
  /** Number of values, counted by commas and brackets outside strings. */
  readonly values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * The first limit that `text` exceeds, or null. The result for invalid JSON is undefined; parsing refuses it. Linear:
 * strings are skipped by searching their closing quote.
 */
export function findShapeViolation(
  text: string,
  limits: JsonShapeLimits,
): "too_deep" | "too_many_values" | null {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      index = closingQuote(text, index + 1);
    } else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > limits.depth) return "too_deep";
    } else if (unit === 0x7d || unit === 0x5d) {
      depth -= 1;
    } else if (unit === COMMA) {
      values += 1;
    }
    if (values > limits.values) return "too_many_values";
  }
  return null;
}

/** The index of the quote that ends the string which begins at `start`, or the text's end. */
export function closingQuote(text: string, start: number): number {
  let searchFrom = start;
  for (;;) {
    const quote = text.indexOf('"', searchFrom);
    if (quote === -1) return text.length;
    let first = quote;
    while (first > searchFrom && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((quote - first) % 2 === 0) return quote;
    searchFrom = quote + 1;
  }
}

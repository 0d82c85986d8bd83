// Decimal numbers that are added without a double's rounding.

export interface Decimal {
  /** The number times ten to the power of `decimals`. */
  readonly units: bigint;
  readonly decimals: number;
}

/** @returns null for what is no decimal number, such as `1e21`. */
export function parseDecimal(text: string): Decimal | null {
  const [whole, sign, digits = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const units = BigInt(digits + fraction);
  return { units: sign === "-" ? -units : units, decimals: fraction.length };
}

export function addDecimals(one: Decimal, other: Decimal): Decimal {
  const decimals = Math.max(one.decimals, other.decimals);
  return { units: scaled(one, decimals) + scaled(other, decimals), decimals };
}

function scaled({ units, decimals }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - decimals);
}

/** In the reader's language. @param least Decimals that are shown in any case. */
export function decimalText({ units, decimals }: Decimal, least = 0): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = BigInt(digits.slice(0, digits.length - decimals));
  const fraction = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  const shown = fraction.padEnd(least, "0");
  const point = (1.1).toLocaleString().charAt(1);
  const text = whole.toLocaleString() + (shown === "" ? "" : point + shown);
  return units < 0n ? `-${text}` : text;
}

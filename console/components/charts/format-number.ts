// Numbers as the pages show them, in the reader's language.
const WHOLE = new Intl.NumberFormat();
const COMPACT = new Intl.NumberFormat(undefined, {
  notation: "compact",
  maximumFractionDigits: 1,
});
const DOLLARS = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });
/** Money. Below a dollar cents are too coarse: a call may cost some thousandths of one. */
const SMALL_DOLLARS = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  maximumSignificantDigits: 3,
});
const BYTE_UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

export function formatCount(count: number): string {
  return WHOLE.format(count);
}

/** Short number for axes and cards: 1.2M. */
export function formatCompact(count: number): string {
  return COMPACT.format(count);
}

/** @param dollars Null when a part of it has no known price, which is not the same as nothing. */
export function formatMoney(dollars: number | null): string {
  if (dollars === null) return "not known";
  return (dollars < 1 ? SMALL_DOLLARS : DOLLARS).format(dollars);
}

/** Decimal units, as quotas are set. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < BYTE_UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${WHOLE.format(Number(value.toFixed(digits)))} ${BYTE_UNITS[unit]}`;
}

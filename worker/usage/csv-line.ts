/** First characters of a text that a spreadsheet may take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One line of CSV (RFC 4180), with its line end. Null is an empty field. A text that a spreadsheet would run as a formula
 * gets an apostrophe in front, because names and ids come from tenants' own users.
 */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(toField).join(",")}\r\n`;
}

function toField(value: string | number | null): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * When a day of the reader's zone begins.
 * @param day `2026-11-21`.
 * @param later Days after it: with 1, when it ends.
 * @returns UTC ISO 8601; null for any other text.
 */
export function dayStart(day: string, later: number): string | null {
  const date = new Date(`${day}T00:00:00`);
  if (Number.isNaN(date.getTime())) return null;
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

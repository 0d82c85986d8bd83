import { DEFAULT_AUDIT_KEPT_DAYS } from "../../protocol/limits/audit.ts";

const MILLISECONDS_PER_DAY = 86_400_000;

/** Since when entries of the audit are kept. What is no number of days is taken for the default: nothing goes early. */
export function auditKeptSince(
  { AUDIT_KEPT_DAYS }: { readonly AUDIT_KEPT_DAYS?: string },
  nowMs: number,
): string {
  const isDays = /^[1-9]\d{0,4}$/.test(AUDIT_KEPT_DAYS ?? "");
  const days = isDays ? Number(AUDIT_KEPT_DAYS) : DEFAULT_AUDIT_KEPT_DAYS;
  return new Date(nowMs - days * MILLISECONDS_PER_DAY).toISOString();
}

import { DEFAULT_AUDIT_KEPT_DAYS } from "../../protocol/audit/limits.ts";

const MILLISECONDS_PER_DAY = 86_400_000;

/**
 * The start of the audit log's retention period. An invalid setting means the default, so that nothing is deleted
 * early.
 */
export function auditKeptSince(
  { AUDIT_KEPT_DAYS }: { readonly AUDIT_KEPT_DAYS?: string },
  nowMs: number,
): string {
  const isDays = /^[1-9]\d{0,4}$/.test(AUDIT_KEPT_DAYS ?? "");
  const days = isDays ? Number(AUDIT_KEPT_DAYS) : DEFAULT_AUDIT_KEPT_DAYS;
  return new Date(nowMs - days * MILLISECONDS_PER_DAY).toISOString();
}

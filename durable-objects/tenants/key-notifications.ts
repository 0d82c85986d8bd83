import type { TenantNotification } from "../api/tenant-api.ts";
import type { TenantTables } from "./tenant-tables.ts";

/** Revocations of keys that a session without a lease was not told about. */
export function keyNotifications(
  cut: ReturnType<TenantTables["cutKeys"]>,
): readonly TenantNotification[] {
  const ids = (isWithTokens: boolean) =>
    cut.filter(({ withTokens }) => withTokens === isWithTokens).map(({ id }) => id);
  const all: readonly TenantNotification[] = [
    { cut_keys: ids(false) },
    { cut_keys: ids(true), with_tokens: true },
  ];
  return all.filter(({ cut_keys = [] }) => cut_keys.length > 0);
}

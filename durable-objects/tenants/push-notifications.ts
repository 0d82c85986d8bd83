// Tells sessions and rooms what a tenant's object has noted for them.
import { PUSH_RETRY_MS, PUSH_SESSIONS } from "../../protocol/quotas/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { TenantNotification } from "../api/tenant-api.ts";
import { leaseHolder } from "./lease-holder.ts";
import type { TenantTables } from "./tenant-tables.ts";

/** Tells the holder of a lease. Contract: never rejects. @returns Whether it was told. */
export async function deliverNotification(
  env: Pick<Env, "SESSION" | "ROOM">,
  { tenantId, sessionId }: { readonly tenantId: string; readonly sessionId: string },
  notification: TenantNotification,
): Promise<boolean> {
  try {
    const holder = leaseHolder(env, tenantId, sessionId);
    await withinDeadline(holder.notify(notification), PUSH_RETRY_MS);
    return true;
  } catch (error) {
    console.warn("could not notify a session; will retry", {
      session_id: sessionId,
      error: String(error),
    });
    return false;
  }
}

/** Tells all holders, some at a time. @returns Whether all of them were told. */
export async function pushNotifications(
  tables: TenantTables,
  tell: (sessionId: string, notification: TenantNotification) => Promise<boolean>,
): Promise<boolean> {
  const failed = new Set<string>();
  for (;;) {
    const pending = tables.pendingNotifications(PUSH_SESSIONS + failed.size);
    const next = pending.filter(({ session_id }) => !failed.has(session_id));
    if (next.length === 0) return failed.size === 0;
    await Promise.all(
      next.map(async ({ session_id, news }) => {
        if (await tell(session_id, JSON.parse(news) as TenantNotification))
          tables.removeNotification(session_id, news);
        else failed.add(session_id);
      }),
    );
  }
}

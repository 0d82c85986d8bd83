import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { Result } from "../../protocol/errors.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";

interface AdmittedSession {
  readonly tenant: Pick<SessionTenant, "admit">;
  readonly settings: Pick<SessionSettings, "kept" | "followLatest">;
}

/**
 * Before a reply begins: asks for its lease, and takes the versions that it begins with. The lease says whether D1 has to
 * be asked about a version that the session keeps. @param share Binds the end user who asks for it.
 */
export async function admitReply(
  { tenant, settings }: AdmittedSession,
  share?: EndUserShareChange,
): Promise<Result<unknown>> {
  const admission = tenant.admit(share, settings.kept);
  const mayBeRetired = admission.then((admitted) => admitted.ok && admitted.value.mayBeRetired);
  const [admitted] = await Promise.all([admission, settings.followLatest(mayBeRetired)]);
  return admitted;
}

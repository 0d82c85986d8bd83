import { env } from "cloudflare:workers";

import { makeTenant } from "./api.ts";

/** A tenant without an entry in its audit: that it was made is another test's. */
export async function makeUnrecordedTenant() {
  const tenant = await makeTenant();
  await env.DB.prepare("DELETE FROM audit_entries WHERE tenant_id = ?").bind(tenant.id).run();
  return tenant;
}

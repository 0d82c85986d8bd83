import { TenantCache } from "./tenant-cache.ts";

/** The tenants that this isolate knows. */
export const knownTenants = new TenantCache();

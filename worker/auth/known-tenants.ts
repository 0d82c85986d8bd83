import { TenantCache } from "./tenant-cache.ts";

/** The isolate's tenant cache. */
export const knownTenants = new TenantCache();

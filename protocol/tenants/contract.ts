// Tenants, provisioned by the operator.
import * as z from "zod";

import {
  MetadataSchema,
  NameSchema,
  PageQuerySchema,
  TimestampSchema,
  pageOf,
} from "../schemas/common.ts";
import { QuotasChangeSchema, QuotasSchema } from "../quotas/contract.ts";

/** `suspended` blocks all use and keeps the data; `closed` is final: the erasure of its data has begun. @public */
export const TenantStatusSchema = z.enum(["active", "suspended", "closed"]);
export type TenantStatus = z.infer<typeof TenantStatusSchema>;

export const TenantCreateSchema = z
  .strictObject({
    name: NameSchema,
    metadata: MetadataSchema.optional(),
    /** Defaults apply to members that are left out. */
    quotas: QuotasChangeSchema.optional(),
  })
  .meta({ id: "TenantCreate" });

/** Members that are left out stay unchanged. */
export const TenantUpdateSchema = TenantCreateSchema.partial()
  .extend({
    status: TenantStatusSchema.optional(),
  })
  .meta({ id: "TenantUpdate" });
export type TenantUpdate = z.infer<typeof TenantUpdateSchema>;

export const TenantsQuerySchema = PageQuerySchema.extend({
  /** Begins with `ten_`: the beginning of an id; else a part of a name. */
  search: NameSchema.optional(),
});

export const TenantSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    metadata: MetadataSchema,
    status: TenantStatusSchema,
    quotas: QuotasSchema,
    created_at: TimestampSchema,
  })
  .meta({ id: "Tenant" });
export type Tenant = z.infer<typeof TenantSchema>;
export const TenantPageSchema = pageOf(TenantSchema).meta({ id: "TenantPage" });

/** The only answer that contains the tenant's first API key, a live key with every scope. */
export const CreatedTenantSchema = TenantSchema.extend({ api_key: z.string() }).meta({
  id: "CreatedTenant",
  description: "The one answer that shows the tenant's first key, which holds every scope.",
});
export type CreatedTenant = z.infer<typeof CreatedTenantSchema>;

/** The answer while a tenant's erasure is in progress. */
export const ErasingTenantSchema = z.object({ id: z.string(), status: z.literal("erasing") }).meta({
  id: "ErasingTenant",
  description: "Some of the tenant's sessions are not erased yet; repeat the request to continue.",
});

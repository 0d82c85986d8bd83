// Tenants, provisioned by the operator.
import { z } from "zod";

import { MetadataSchema, NameSchema, TimestampSchema } from "./schemas/common.ts";
import { QuotasChangeSchema, QuotasSchema } from "./quotas.ts";

/** `suspended` stops everything of the tenant and keeps it; `closed` is for good: its erasure has begun. */
export const TenantStatusSchema = z.enum(["active", "suspended", "closed"]);
export type TenantStatus = z.infer<typeof TenantStatusSchema>;

export const TenantCreateSchema = z.strictObject({
  name: NameSchema,
  metadata: MetadataSchema.optional(),
  /** The defaults where it says nothing. */
  quotas: QuotasChangeSchema.optional(),
});
export type TenantCreate = z.infer<typeof TenantCreateSchema>;

/** What is left out stays as it is. */
export const TenantUpdateSchema = TenantCreateSchema.partial().extend({
  status: TenantStatusSchema.optional(),
});
export type TenantUpdate = z.infer<typeof TenantUpdateSchema>;

export const TenantSchema = z.object({
  id: z.string(),
  name: z.string(),
  metadata: MetadataSchema,
  status: TenantStatusSchema,
  quotas: QuotasSchema,
  created_at: TimestampSchema,
});
export type Tenant = z.infer<typeof TenantSchema>;

/** The one answer that shows the tenant's first key, which is live and holds every scope. */
export const CreatedTenantSchema = TenantSchema.extend({ api_key: z.string() });
export type CreatedTenant = z.infer<typeof CreatedTenantSchema>;

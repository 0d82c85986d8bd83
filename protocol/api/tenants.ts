// Tenants, provisioned by the operator.
import { z } from "zod";

import { MetadataSchema, NameSchema, TimestampSchema } from "./common.ts";

export const TenantCreateSchema = z.strictObject({
  name: NameSchema,
  metadata: MetadataSchema.optional(),
});
export type TenantCreate = z.infer<typeof TenantCreateSchema>;

/** What is left out stays as it is. */
export const TenantUpdateSchema = TenantCreateSchema.partial();
export type TenantUpdate = z.infer<typeof TenantUpdateSchema>;

export const TenantSchema = z.object({
  id: z.string(),
  name: z.string(),
  metadata: MetadataSchema,
  created_at: TimestampSchema,
});
export type Tenant = z.infer<typeof TenantSchema>;

/** The one answer that shows the tenant's first key, which is live and holds every scope. */
export const CreatedTenantSchema = TenantSchema.extend({ api_key: z.string() });
export type CreatedTenant = z.infer<typeof CreatedTenantSchema>;

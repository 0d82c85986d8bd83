// Tenants, provisioned by the operator.
import { z } from "zod";

import { MetadataSchema, NameSchema, TimestampSchema } from "./common.ts";

export const TenantCreateSchema = z.strictObject({
  name: NameSchema,
  metadata: MetadataSchema.optional(),
});
export type TenantCreate = z.infer<typeof TenantCreateSchema>;

export const TenantSchema = z.object({
  id: z.string(),
  name: z.string(),
  metadata: MetadataSchema,
  created_at: TimestampSchema,
});
export type Tenant = z.infer<typeof TenantSchema>;

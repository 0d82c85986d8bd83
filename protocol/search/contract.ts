// The setting of a tenant's search over sessions.
import * as z from "zod";

/** @public */
export const SessionSearchSchema = z
  .object({
    enabled: z.boolean(),
    stored_bytes: z.number().int().nonnegative(),
  })
  .meta({
    id: "SessionSearch",
    description: "The tenant's search over titles and first messages.",
  });
export type SessionSearch = z.infer<typeof SessionSearchSchema>;

export const SessionSearchUpdateSchema = z
  .strictObject({ enabled: z.boolean() })
  .meta({ id: "SessionSearchUpdate" });

import * as z from "zod";

/** One invalid position in the request. */
export const FieldErrorSchema = z
  .object({
    /** RFC 6901, in URI fragment form. */
    pointer: z.string(),
    detail: z.string(),
  })
  .meta({ id: "FieldError", description: "One place in the request that is wrong." });
export interface FieldError extends Readonly<z.infer<typeof FieldErrorSchema>> {}

import * as z from "zod";

/** A place in a request that was accepted, and probably does not do what its author wants. */
export const WarningSchema = z
  .object({
    /** RFC 6901, in URI fragment form. */
    pointer: z.string(),
    detail: z.string(),
  })
  .meta({
    id: "Warning",
    description:
      "One place in the request that was accepted, and probably does not do what its author wants.",
  });
export interface Warning extends Readonly<z.infer<typeof WarningSchema>> {}

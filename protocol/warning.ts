import * as z from "zod";

/** A place in a request that was accepted, and probably does not do what its author wants. */
export const WarningSchema = z
  .object({
    pointer: z
      .string()
      .describe("The place, as a JSON pointer in the form of a URI fragment (RFC 6901)."),
    detail: z.string().describe("The reason, and what to do about it."),
  })
  .meta({
    id: "Warning",
    description:
      "One place in the request that was accepted, and probably does not do what its author wants.",
  });
export interface Warning extends Readonly<z.infer<typeof WarningSchema>> {}

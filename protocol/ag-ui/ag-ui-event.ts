import * as z from "zod";

/** The members common to all AG-UI events; the others depend on `type`. */
export const AgUiEventSchema = z.looseObject({
  type: z.string(),
  /** Unix time in milliseconds; absent on text deltas. */
  timestamp: z.number().int().optional(),
});

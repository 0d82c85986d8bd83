import { z } from "zod";

/** What all events of AG-UI have; the rest of their members goes by the type. */
export const AgUiEventSchema = z.looseObject({
  type: z.string(),
  /** Unix time in milliseconds; pieces of a text go without. */
  timestamp: z.number().int().optional(),
});

import { z } from "zod";

/** Dialects in which a session's events can be read; the first is the log's own. */
export const EventFormatSchema = z
  .enum(["agentscope", "agentscope-java", "ag-ui"])
  .default("agentscope");
export type EventFormat = z.infer<typeof EventFormatSchema>;

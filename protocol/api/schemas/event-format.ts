import { z } from "zod";

/** The dialects that a session's events are shown in; the first is the log's own. */
export const EventFormatSchema = z
  .enum(["agentscope", "agentscope-java", "ag-ui"])
  .default("agentscope");
export type EventFormat = z.infer<typeof EventFormatSchema>;

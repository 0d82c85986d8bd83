import { z } from "zod";

import { pageOf } from "./responses.ts";

/** What all events of AgentScope for Java have; the rest of their members goes by the type. */
export const JavaEventSchema = z.looseObject({
  id: z.string(),
  createdAt: z.string(),
  type: z.string(),
  /** Only when the event is about a reply. */
  replyId: z.string().optional(),
});

/** A page of events with `format=agentscope-java`. */
export const JavaEventPageSchema = pageOf(JavaEventSchema).extend({
  cursor: z.number().int().nonnegative(),
});

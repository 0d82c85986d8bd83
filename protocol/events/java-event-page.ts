import { z } from "zod";

import { pageOf } from "../responses.ts";

/** The members common to all events of AgentScope for Java; the others depend on `type`. */
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

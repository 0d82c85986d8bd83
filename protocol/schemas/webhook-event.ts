// Parts of the events of outgoing webhooks, which concepts have in their `webhooks.ts`.
import * as z from "zod";

import { TimestampSchema } from "./common.ts";

/** Data of an event about a session. */
export const OF_SESSION = {
  session_id: z.string(),
  agent_id: z.string(),
  end_user_id: z.string().nullable(),
};

/** Data of an event about a reply. */
export const OF_REPLY = {
  ...OF_SESSION,
  agent_version: z.number().int().positive(),
  reply_id: z.string(),
  /** The stream position at that time: later events are newer than this message. */
  cursor: z.number().int().nonnegative(),
};

/** Words of an event in the table of docs/webhooks.md. */
interface EventWords {
  readonly when: string;
  /** Members of the data, but for those of all events about a session or a reply. */
  readonly data: string;
}

export const EVENT_WORDS = z.registry<EventWords>();

export function webhookEvent<Type extends string, Data extends z.ZodRawShape>(
  type: Type,
  words: EventWords,
  data: Data,
) {
  const schema = z.object({
    type: z.literal(type),
    /** Time of the event; each attempt has its own in `webhook-timestamp`. */
    timestamp: TimestampSchema,
    data: z.object(data),
  });
  EVENT_WORDS.add(schema, words);
  return schema;
}

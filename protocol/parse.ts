// The doors for what others send: every document's names first, then the schema.
import type { z } from "zod";

import { normalizeEvent } from "./dialects/normalize-event.ts";
import { normalizeMessage } from "./dialects/normalize-message.ts";
import { AgentEventSchema, type AgentEvent } from "./events.ts";
import { MsgSchema, type Msg } from "./messages/messages.ts";

/**
 * An event in any of the names that AgentScope has had.
 * @throws {z.ZodError} when it is none of the 28.
 */
export function parseEvent(input: unknown): AgentEvent {
  return AgentEventSchema.parse(normalizeEvent(input));
}

/** As {@link parseEvent}, with the errors as a value. */
export function safeParseEvent(input: unknown): z.ZodSafeParseResult<AgentEvent> {
  return AgentEventSchema.safeParse(normalizeEvent(input));
}

/**
 * A message in any of the names that AgentScope has had.
 * @throws {z.ZodError} when it is no message, or holds what its role may not.
 */
export function parseMessage(input: unknown): Msg {
  return MsgSchema.parse(normalizeMessage(input));
}

/** As {@link parseMessage}, with the errors as a value. */
export function safeParseMessage(input: unknown): z.ZodSafeParseResult<Msg> {
  return MsgSchema.safeParse(normalizeMessage(input));
}

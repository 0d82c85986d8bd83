// Parsers for events and messages from outside: normalise names of all AgentScope documents, then validate.
import type * as z from "zod";

import { normalizeEvent } from "./dialects/normalize-event.ts";
import { normalizeMessage } from "./dialects/normalize-message.ts";
import { AgentEventSchema, type AgentEvent } from "./events.ts";
import { MsgSchema, type Msg } from "./messages/messages.ts";

/**
 * Parses an event in the names of any AgentScope document.
 * @throws {z.ZodError} when it is none of the 28.
 */
export function parseEvent(input: unknown): AgentEvent {
  return AgentEventSchema.parse(normalizeEvent(input));
}

/** As {@link parseEvent}, with errors as a return value. */
export function safeParseEvent(input: unknown): z.ZodSafeParseResult<AgentEvent> {
  return AgentEventSchema.safeParse(normalizeEvent(input));
}

/**
 * Parses a message in the names of any AgentScope document.
 * @throws {z.ZodError} when it is no message, or holds what its role may not.
 */
export function parseMessage(input: unknown): Msg {
  return MsgSchema.parse(normalizeMessage(input));
}

/** As {@link parseMessage}, with errors as a return value. */
export function safeParseMessage(input: unknown): z.ZodSafeParseResult<Msg> {
  return MsgSchema.safeParse(normalizeMessage(input));
}

import type * as z from "zod";

import { AgentEventSchema } from "../protocol/events.ts";

/** The component of an event type: `TEXT_BLOCK_DELTA` is `TextBlockDeltaEvent`. */
export function eventSchemaName(type: string): string {
  return `${type
    .split("_")
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join("")}Event`;
}

/** The schema of each type of event, named by its type. */
export const EVENT_SCHEMAS: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  AgentEventSchema.options.map((option) => [
    eventSchemaName(option.shape.type.value),
    option as z.ZodType,
  ]),
);

import * as z from "zod";

import type { Stream } from "../requests/contract.ts";
/** The members common to all AG-UI events; the others depend on `type`. */
const AgUiEventSchema = z
  .looseObject({
    type: z.string(),
    /** Unix time in milliseconds; absent on text deltas. */
    timestamp: z.number().int().optional(),
  })
  .meta({
    id: "AgUiEvent",
    description: "An event of AG-UI 1.0; docs/protocol.md has the translation.",
  });

export const AG_UI_STREAM = {
  id: "AgUiEventStream",
  description:
    "Server-sent events. Each frame has `id:` (`<seq>.<k>`, a cursor), `event:` (the type) and `data:` (one AgUiEvent as JSON on one line). Comment lines are heartbeats.",
  event: AgUiEventSchema,
  example: "agUiStream",
} as const satisfies Stream;

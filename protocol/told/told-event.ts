// Told events: what a tenant's back end, a tool or a hook says into a session's log for its readers. No model reads them,
// but for hints.
import * as z from "zod";

import type { EventDraft } from "../events.ts";
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { PatchOperationSchema } from "../shared-state/contract.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { ACTIVITY_DELTA, ACTIVITY_SNAPSHOT, TOLD_BY, type Teller } from "./events.ts";
import {
  MAX_TOLD_EVENT_BYTES,
  MAX_TOLD_EVENTS,
  MAX_TOLD_ID_CHARACTERS,
  MAX_TOLD_NAME_CHARACTERS,
} from "./limits.ts";
import { isPlatformName } from "./platform-names.ts";
import { TenantHintSchema } from "./told-hint.ts";

/** ASCII alone: a name of other scripts may look like one of the platform's. */
const NameSchema = z
  .string()
  .max(MAX_TOLD_NAME_CHARACTERS)
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._:/-]*$/, {
    message:
      "a name is letters, digits, spaces and ._:/- of ASCII, and begins with a letter or digit",
  })
  .refine((name) => !isPlatformName(name), { message: "the platform's own events have this name" });

const activity = {
  message_id: z.string().min(1).max(MAX_TOLD_ID_CHARACTERS),
  activity_type: NameSchema,
};
const values = z.record(z.string(), z.json());
/** Without `copy`: each of them may double what all readers keep. */
const OperationSchema = PatchOperationSchema.refine(({ op }) => op !== "copy", {
  message: "a patch of an activity copies nothing",
});

export const ToldEventSchema = z
  .discriminatedUnion("type", [
    z
      .strictObject({ type: z.literal("CUSTOM"), name: NameSchema, value: values.default({}) })
      .meta({ id: "ToldCustom", description: "An event of the service's own." }),
    z
      .strictObject({
        type: z.literal("ACTIVITY_SNAPSHOT"),
        ...activity,
        content: values,
        /** False changes nothing where there is an activity with this id. */
        replace: z.boolean().default(true),
      })
      .meta({ id: "ToldActivity", description: "An activity of AG-UI as a whole." }),
    z
      .strictObject({
        type: z.literal("ACTIVITY_DELTA"),
        ...activity,
        /** Operations of JSON Patch, without `copy`. */
        patch: z.array(OperationSchema).min(1).max(MAX_TOLD_EVENTS),
      })
      .meta({ id: "ToldActivityChange", description: "A change of an activity." }),
  ])
  .refine((event) => utf8Bytes(JSON.stringify(event)) <= MAX_TOLD_EVENT_BYTES, {
    message: `an event may take ${MAX_TOLD_EVENT_BYTES} bytes as JSON at most`,
  })
  .meta({ id: "ToldEvent" });
export type ToldEvent = z.infer<typeof ToldEventSchema>;

/** What a tenant's back end tells: events for readers, and hints for the model. */
export const ToldEventsSchema = z
  .array(z.discriminatedUnion("type", [ToldEventSchema, TenantHintSchema]))
  .min(1)
  .max(MAX_TOLD_EVENTS);

/** Names of AG-UI's members in those of the log. */
const RENAMED: Readonly<Record<string, string>> = {
  messageId: "message_id",
  activityType: "activity_type",
};

/** An event as AG-UI writes it, with the names that the schema has. No validation. */
export function normalizeToldEvent(event: unknown): unknown {
  if (!isJsonObject(event)) return event;
  const renamed: JsonObject = Object.fromEntries(
    Object.entries(event).map(([name, value]) => [RENAMED[name] ?? name, value]),
  );
  return renamed;
}

/** The event as the log has it. @param replyId The reply that it is about; left out beside replies. */
export function toldDraft(event: ToldEvent, by: Teller, replyId?: string): EventDraft {
  const head = {
    type: "CUSTOM",
    ...(replyId !== undefined && { reply_id: replyId }),
    metadata: { [TOLD_BY]: { ...by } },
  } as const;
  switch (event.type) {
    case "CUSTOM":
      return { ...head, name: event.name, value: event.value };
    case "ACTIVITY_SNAPSHOT": {
      const { type: _type, ...value } = event;
      return { ...head, name: ACTIVITY_SNAPSHOT, value };
    }
    case "ACTIVITY_DELTA": {
      const { type: _type, ...value } = event;
      return { ...head, name: ACTIVITY_DELTA, value };
    }
    default:
      return event satisfies never;
  }
}

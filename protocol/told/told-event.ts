// Told events: what a tenant's back end, a tool or a hook says into a session's log for its readers. No model reads them.
import * as z from "zod";

import type { EventDraft } from "../events.ts";
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { findShapeViolation } from "../json-shape.ts";
import { MAX_INPUT_DEPTH, MAX_INPUT_VALUES } from "../requests/limits.ts";
import { PatchOperationSchema } from "../shared-state/contract.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { ACTIVITY_DELTA, ACTIVITY_SNAPSHOT, TOLD_BY, type Teller } from "./events.ts";
import {
  MAX_TOLD_EVENT_BYTES,
  MAX_TOLD_EVENTS,
  MAX_TOLD_ID_CHARACTERS,
  MAX_TOLD_NAME_CHARACTERS,
} from "./limits.ts";
import { ToldHintSchema, type ToldHint } from "./told-hint.ts";
import { isPlatformName } from "./platform-names.ts";

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

export const ToldEventsSchema = z.array(ToldEventSchema).min(1).max(MAX_TOLD_EVENTS);

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

/** An event in the answer of a tool, which gives the model hints as well. */
const AnsweredEventSchema = z.union([ToldEventSchema, ToldHintSchema]);
export type AnsweredEvent = ToldEvent | ToldHint;
/** An event as it may be written: members with a default may be left out. */
export type AnsweredEventInput = z.input<typeof AnsweredEventSchema>;

export interface ToldByAnswer<Told = AnsweredEvent> {
  readonly events: readonly Told[];
  /** A sentence on what was left out; null when there is nothing to say. */
  readonly note: string | null;
}

/**
 * The events in an answer of a tool or a hook, which has done its work: what is not accepted is left out.
 * @param answered The answer's member, of any shape.
 */
export function readToldEvents(answered: unknown): ToldByAnswer {
  return readEvents(answered, AnsweredEventSchema);
}

/** The events in a hook's answer: without hints, of which it gives one as another member. */
export function readEventsOfHook(answered: unknown): ToldByAnswer<ToldEvent> {
  return readEvents(answered, ToldEventSchema);
}

function readEvents<Told>(answered: unknown, schema: z.ZodType<Told>): ToldByAnswer<Told> {
  if (!Array.isArray(answered)) return { events: [], note: "events are a list" };
  const given = answered as readonly unknown[];
  const events: Told[] = [];
  let note = given.length > MAX_TOLD_EVENTS ? `more than ${MAX_TOLD_EVENTS} events` : null;
  for (const [index, one] of given.slice(0, MAX_TOLD_EVENTS).entries()) {
    const found = readOne(one, schema);
    if (found.success) events.push(found.data);
    else note ??= `event ${index}: ${found.problem}`;
  }
  return { events, note };
}

type ReadEvent<Told> =
  | { readonly success: true; readonly data: Told }
  | { readonly success: false; readonly problem: string };

function readOne<Told>(given: unknown, schema: z.ZodType<Told>): ReadEvent<Told> {
  const limits = { depth: MAX_INPUT_DEPTH, values: MAX_INPUT_VALUES };
  const text = textOf(given);
  if (text === null) return { success: false, problem: "it is no JSON" };
  if (findShapeViolation(text, limits) !== null) {
    return { success: false, problem: `nested deeper than ${limits.depth} levels, or too large` };
  }
  const parsed = schema.safeParse(normalizeToldEvent(given));
  if (parsed.success) return parsed;
  return { success: false, problem: problemOf(parsed.error.issues) };
}

/** The first problem, that of the event's own type where it has one. */
function problemOf(issues: readonly z.core.$ZodIssue[]): string {
  const [first] = issues;
  if (first?.code !== "invalid_union") return first?.message ?? "of another shape";
  const ofType = first.errors.find(
    (branch) => branch.length > 0 && !branch.some(({ path: [member] }) => member === "type"),
  );
  return ofType ? problemOf(ofType) : "of another type";
}

/** Null for what a function gave and that is no JSON, such as a circle. */
function textOf(given: unknown): string | null {
  try {
    return JSON.stringify(given) ?? null;
  } catch {
    return null;
  }
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

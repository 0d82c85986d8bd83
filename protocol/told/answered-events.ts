// Told events in the answer of a tool or a hook, which has done its work: what is not accepted is left out, with a note.
import * as z from "zod";

import { findShapeViolation } from "../json-shape.ts";
import { MAX_INPUT_DEPTH, MAX_INPUT_VALUES } from "../requests/limits.ts";
import { MAX_TOLD_EVENTS } from "./limits.ts";
import { normalizeToldEvent, ToldEventSchema, type ToldEvent } from "./told-event.ts";
import { ToldHintSchema, type ToldHint } from "./told-hint.ts";

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

// Sessions with a window of a thousand tokens, whose summaries are written by a script.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect } from "vitest";

import { readUrl } from "../../../durable-objects/api/read-request.ts";
import { REFUSAL_HEADER, type SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { SessionContext } from "../../../protocol/context/compression.ts";
import {
  CONTEXT_COMPRESSED,
  CONTEXT_TRUNCATED,
  type ContextCompressedValue,
  type ContextTruncatedValue,
} from "../../../protocol/context/events.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { waitFor } from "../../support/wait-for.ts";
import { allEvents, createdSession, objectOf, reply, stubOf } from "../sessions/session.ts";
import { summarising } from "../support/summarised-agent.ts";

/** The window, of which 800 tokens are the soft threshold, and 900 the hard one. */
const SMALL = { context_size: 1_000, token_counter: "estimate", keep_recent: 2 };

/** An agent whose context is summarised. @param script Lines before the summary. */
export function smallWindow(script = "", more: object = {}): { readonly context: object } {
  return summarising(script, { ...SMALL, ...more });
}

export function compressingSession(script = "", more: object = {}): Promise<SessionInit> {
  return createdSession(smallWindow(script, more));
}

/** A text of so many tokens as the platform estimates them. */
export function wordsOf(tokens: number): string {
  return "word ".repeat(Math.ceil((tokens * 4) / 5)).trim();
}

/** One turn: the user says it, and the model says it again. */
export function sayTwice(init: SessionInit, tokens: number): ReturnType<typeof reply> {
  return reply(init, `/say ${wordsOf(tokens / 2)}`);
}

/** Brings the context over the soft threshold, and not over the hard one. */
export async function fill(init: SessionInit): Promise<void> {
  await sayTwice(init, 300);
  await sayTwice(init, 300);
  await sayTwice(init, 250);
}

export interface Logged<Value> {
  readonly event: LoggedEvent;
  readonly value: Value;
}

function customs<Value>(events: readonly LoggedEvent[], name: string): Logged<Value>[] {
  return events.flatMap((event) =>
    event.type === "CUSTOM" && event.name === name
      ? [{ event, value: event.value as unknown as Value }]
      : [],
  );
}

export async function summariesOf(init: SessionInit): Promise<Logged<ContextCompressedValue>[]> {
  return customs(await allEvents(init), CONTEXT_COMPRESSED);
}

export async function truncationsOf(init: SessionInit): Promise<Logged<ContextTruncatedValue>[]> {
  return customs(await allEvents(init), CONTEXT_TRUNCATED);
}

export async function viewContext(init: SessionInit): Promise<SessionContext> {
  const response = await stubOf(init).fetch(readUrl({ what: "context" }));
  expect(response.headers.get(REFUSAL_HEADER)).toBeNull();
  return response.json();
}

export async function textsOfContext(init: SessionInit): Promise<readonly string[]> {
  const { messages } = await viewContext(init);
  return messages.map(({ message }) => JSON.stringify(message.content));
}

export function rowsOf<Row extends Record<string, SqlStorageValue>>(
  init: SessionInit,
  query: string,
): Promise<Row[]> {
  return runInDurableObject(objectOf(init), (_, { storage }) =>
    storage.sql.exec<Row>(query).toArray(),
  );
}

/** The timer and the summary that a compression still needs. */
export function dueOf(init: SessionInit): Promise<unknown[]> {
  return rowsOf(
    init,
    "SELECT kind AS what FROM timers WHERE kind = 'compress' UNION ALL SELECT summary_id FROM compression WHERE summary_id IS NOT NULL",
  );
}

/** Resolves when no compression is due. */
export async function settledContext(init: SessionInit): Promise<void> {
  await waitFor(async () => expect(await dueOf(init)).toEqual([]));
}

/** The time of the compression's timer has come, and the object wakes by its alarm. */
export async function fireTimer(init: SessionInit): Promise<void> {
  await rowsOf(init, "UPDATE timers SET due_at = 1 WHERE kind = 'compress'");
  await runDurableObjectAlarm(objectOf(init));
}

/** Resolves when the one in the background has begun. */
export async function begunContext(init: SessionInit): Promise<void> {
  await waitFor(async () => {
    const query = "SELECT begun FROM timers WHERE kind = 'compress'";
    expect(await rowsOf(init, query)).toEqual([{ begun: 1 }]);
  });
}

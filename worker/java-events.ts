// The log in the dialect of AgentScope for Java: for readers that begin anywhere.
import type { EventsPage } from "../durable-objects/session-api.ts";
import { createJavaTranslator } from "../protocol/dialects/to-agentscope-java.ts";
import type { JavaEvent } from "../protocol/dialects/to-agentscope-java-event.ts";
import { accept, type Result } from "../protocol/errors.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import { badCursor, type StreamPosition } from "./last-event-id.ts";
import { replyHistory } from "./reply-history.ts";
import type { SessionStub } from "./session-stub.ts";

/** Where to begin: with the first event after `after`, without what the reader has of it. */
export interface JavaStart {
  readonly after: number;
  /** Of the first event after `after`, how many of its Java events are left out. */
  readonly skipped: number;
}

interface NumberedJavaEvent {
  /** `<seq>`, or `<seq>.<k>` where several events come of one. */
  readonly id: string;
  readonly event: JavaEvent;
}

export type JavaEvents = (event: LoggedEvent) => Promise<readonly NumberedJavaEvent[]>;

/** Takes the events after `start.after` one after the other. Reads again only when a reader begins inside a reply. */
export function createJavaEvents(stub: SessionStub, start: JavaStart): JavaEvents {
  const translator = createJavaTranslator();
  const partlyRead = start.skipped > 0 ? start.after + 1 : null;

  async function translate(event: LoggedEvent): Promise<readonly NumberedJavaEvent[]> {
    if (event.reply_id !== undefined && translator.isWithoutHistory(event)) {
      for await (const row of replyHistory(stub, event.reply_id, event)) translator.translate(row);
    }
    const events = translator.translate(event);
    const numbered = events.map((each, index) => ({
      id: events.length === 1 ? `${event.seq}` : `${event.seq}.${index + 1}`,
      event: each,
    }));
    return event.seq === partlyRead ? numbered.slice(start.skipped) : numbered;
  }

  return translate;
}

/**
 * Where a reader goes on. One that has all events of a seq goes on after it, so that the end of the log is its end.
 * @throws HttpError `invalid_cursor` for a part that no event has.
 */
export async function findJavaStart(
  stub: SessionStub,
  { seq, part, pointer }: StreamPosition,
): Promise<Result<JavaStart>> {
  if (part === undefined) return accept({ after: seq, skipped: 0 });
  const after = Math.max(0, seq - 1);
  const rows = await stub.listEvents({ after, limit: 1 });
  if (!rows.ok) return rows;
  const [row] = rows.value.data;
  if (row?.seq !== seq) throw badCursor(pointer);
  const { length } = await createJavaEvents(stub, { after, skipped: 0 })(row);
  if (length === 1 || part > length) throw badCursor(pointer);
  return accept(part === length ? { after: seq, skipped: 0 } : { after, skipped: part });
}

/** A page of the log, its cursors in seqs, its events in Java's names. */
export async function listJavaEvents(
  stub: SessionStub,
  position: StreamPosition,
  range: { readonly limit: number; readonly reply_id?: string },
): Promise<Result<Omit<EventsPage, "data"> & { readonly data: readonly JavaEvent[] }>> {
  const start = await findJavaStart(stub, position);
  if (!start.ok) return start;
  const page = await stub.listEvents({ after: start.value.after, ...range });
  if (!page.ok) return page;
  const javaEvents = createJavaEvents(stub, start.value);
  const data: JavaEvent[] = [];
  for (const row of page.value.data) {
    for (const { event } of await javaEvents(row)) data.push(event);
  }
  return accept({ ...page.value, data });
}

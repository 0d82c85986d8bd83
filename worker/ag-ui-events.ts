// The log as AG-UI's frames: for readers that begin anywhere.
import type { AgUiEvent, AgUiFrame } from "../protocol/dialects/ag-ui/events.ts";
import {
  withHistory,
  type MessagesSnapshot,
} from "../protocol/dialects/ag-ui/messages-snapshot.ts";
import { AgUiTranslator } from "../protocol/dialects/ag-ui/translator.ts";
import { accept, type Result } from "../protocol/errors.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import type { Msg } from "../protocol/messages.ts";
import { encodeFrame } from "../protocol/sse.ts";
import { badCursor, type StreamPosition } from "./last-event-id.ts";
import { messagesBefore } from "./messages-before.ts";
import { replyHistory } from "./reply-history.ts";
import type { SessionStub } from "./session-stub.ts";

/** A frame of the stream: the event of the log that it comes of, and its number among those. */
type AgUiPlace = Pick<AgUiFrame, "seq" | "k">;

/** Where to begin. */
export interface AgUiStart {
  /** The log is read from the event after this seq. */
  readonly after: number;
  /** The last frame that the reader has. */
  readonly seen: AgUiPlace;
  /** One that has seen the reply's events up to `after`. */
  readonly translator?: AgUiTranslator;
}

/** Takes the events after `after` one after the other. Reads again only when a reader begins inside a reply. */
export class AgUiEvents {
  readonly #stub: SessionStub;
  readonly #seen: AgUiPlace;
  readonly #translator: AgUiTranslator;
  #history: { readonly replyId: string; readonly messages: Promise<readonly Msg[]> } | null = null;

  /** @param translator One that has seen events already. */
  constructor(stub: SessionStub, seen: AgUiPlace, translator = new AgUiTranslator()) {
    this.#stub = stub;
    this.#seen = seen;
    this.#translator = translator;
  }

  /** @returns Frames of a stream. */
  async push(event: LoggedEvent): Promise<string> {
    const { reply_id, type } = event;
    if (reply_id !== undefined && type !== "REPLY_START" && reply_id !== this.#translator.replyId) {
      for await (const row of replyHistory(this.#stub, reply_id, event)) this.#translator.push(row);
    }
    return this.#encode(this.#translator.push(event));
  }

  /** Nothing follows for now. */
  async rest(): Promise<string> {
    return this.#encode(this.#translator.rest());
  }

  /** In front of what follows, for a reader that has nothing. */
  async join(): Promise<string> {
    const { seq, k } = this.#seen;
    return this.#encodeAll(this.#translator.join().map((event) => ({ seq, k, event })));
  }

  async #encode(frames: readonly AgUiFrame[]): Promise<string> {
    const { seq, k } = this.#seen;
    return this.#encodeAll(
      frames.filter((frame) => frame.seq > seq || (frame.seq === seq && frame.k > k)),
    );
  }

  async #encodeAll(frames: readonly AgUiFrame[]): Promise<string> {
    let text = "";
    for (const { seq, k, event } of frames) {
      const isPartial = event.type === "MESSAGES_SNAPSHOT";
      const data = JSON.stringify(isPartial ? await this.#complete(event) : event);
      text += encodeFrame(`${seq}.${k}`, event.type, data);
    }
    return text;
  }

  /** A snapshot has to hold the whole conversation. */
  async #complete(event: MessagesSnapshot): Promise<AgUiEvent> {
    const { replyId } = this.#translator;
    if (replyId === null) return event;
    if (this.#history?.replyId !== replyId) {
      this.#history = { replyId, messages: messagesBefore(this.#stub, replyId) };
    }
    return withHistory(event, await this.#history.messages);
  }
}

/**
 * Where a reader goes on. One that has all frames of a seq goes on after it, so that the end of the log is its end.
 * @throws HttpError `invalid_cursor` for a frame that no event has.
 */
export async function findAgUiStart(
  stub: SessionStub,
  { seq, part, pointer }: StreamPosition,
): Promise<Result<AgUiStart>> {
  if (part === undefined) return accept({ after: seq, seen: { seq, k: Infinity } });
  const before = Math.max(0, seq - 1);
  const rows = await stub.listEvents({ after: before, limit: 1 });
  if (!rows.ok) return rows;
  const [row] = rows.value.data;
  const seen = { seq, k: part };
  // One frame, which the reader has: a delta that is not on disk, yet or for ever; or what is of no reply.
  if (row?.seq !== seq || row.reply_id === undefined) return accept({ after: seq, seen });
  const translator = new AgUiTranslator();
  for await (const earlier of replyHistory(stub, row.reply_id, row)) translator.push(earlier);
  const frames = [...translator.push(row), ...translator.rest()];
  const last = frames.at(-1);
  if (last?.seq !== seq || part > last.k) throw badCursor(pointer);
  return accept(part === last.k ? { after: seq, seen, translator } : { after: before, seen });
}

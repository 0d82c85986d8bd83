// Reads streams of which every event is a JSON object.
import { appendChunk, type WritableChunk } from "./append-chunk.ts";
import { EventReader } from "./event-reader.ts";
import type { JsonFields } from "./json-fields.ts";
import { MALFORMED } from "./model-failure.ts";
import { parseStreamEvent } from "./stream-event.ts";

export abstract class JsonEventReader extends EventReader {
  /** The author of the stream's proofs of thinking. */
  protected readonly by: string;

  constructor(isStream: boolean, by: string) {
    super(isStream);
    this.by = by;
  }

  protected override readEvent(data: string, chunks: WritableChunk[]): void {
    const event = parseStreamEvent(data);
    if (!event) this.refuse(MALFORMED);
    else for (const chunk of this.readMembers(event)) appendChunk(chunks, chunk);
  }

  /** What one event says, in order. */
  protected abstract readMembers(event: JsonFields): readonly WritableChunk[];
}

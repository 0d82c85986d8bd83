// Reads streams of which every event is a JSON object, and what endpoints put between such events.
import { isHeartbeat } from "../../outgoing/heartbeat.ts";
import type { ProviderEvent } from "./provider-event.ts";
import { appendChunk, type WritableChunk } from "./append-chunk.ts";
import { classifyEvent, isErrorEvent } from "./error-event.ts";
import { EventReader } from "./event-reader.ts";
import type { JsonFields } from "./json-fields.ts";
import { MALFORMED } from "./model-failure.ts";
import { parseStreamEvent } from "./stream-event.ts";

/** The end marker of chat completions, which gateways put behind the streams of other wires too. */
const IS_END_MARKER = /^"?\[done\]"?$/i;

export abstract class JsonEventReader extends EventReader {
  /** The author of the stream's proofs of thinking. */
  protected readonly by: string;

  constructor(isStream: boolean, by: string) {
    super(isStream);
    this.by = by;
  }

  /** Hot path: most events are an object, whose type is in the line `event:` too or not told there. */
  protected override readEvent(event: ProviderEvent, chunks: WritableChunk[]): void {
    const isPlain = typeof event === "string";
    const data = isPlain ? event : event.data;
    const name = isPlain ? null : event.name;
    const fields = parseStreamEvent(data);
    const isUsual = fields !== undefined && (name === null || fields["type"] === name);
    if (!isUsual && name !== null && isHeartbeat(name)) return;
    if (!isPlain && event.name?.toLowerCase() === "error")
      this.refuse(classifyEvent(fields ?? data.trim()));
    else if (fields) this.#readFields(fields, event, chunks);
    else this.#readNoObject(event, data.trim());
  }

  /**
   * The chunks of one event, in order.
   * @param event Has a type, also where only the line `event:` tells it.
   * @param received The same event as it came.
   */
  protected abstract readMembers(
    event: JsonFields,
    received: ProviderEvent,
  ): readonly WritableChunk[];

  /** Whether events with this `event:` line belong to the wire. */
  protected abstract knows(name: string): boolean;

  /** An answer that is not complete by then has to be so by what follows. */
  protected readEndMarker(): void {
    if (this.isComplete) this.end();
  }

  #readFields(fields: JsonFields, event: ProviderEvent, chunks: WritableChunk[]): void {
    if (isErrorEvent(fields)) {
      this.refuse(classifyEvent(fields));
      return;
    }
    const name = typeof event === "string" ? null : event.name;
    const isTyped = name === null || typeof fields["type"] === "string";
    const typed = isTyped ? fields : { ...fields, type: name };
    for (const chunk of this.readMembers(typed, event)) appendChunk(chunks, chunk);
  }

  #readNoObject(event: ProviderEvent, text: string): void {
    if (IS_END_MARKER.test(text)) this.readEndMarker();
    // No data is no event.
    else if (text !== "" && !this.#isOfNobody(event, text)) this.refuse(MALFORMED);
  }

  /** Data that is not JSON, of an event that is no part of the answer, or that the end of the body has cut off. */
  #isOfNobody(event: ProviderEvent, text: string): boolean {
    if (typeof event === "string") return false;
    if (event.isOpen || event.isBare) return true;
    return event.name !== null && !text.startsWith("{") && !this.knows(event.name);
  }
}

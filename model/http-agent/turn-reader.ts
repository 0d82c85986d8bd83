// Reads the answer of an agent in code: AgentScope's events of one turn, as one JSON document or as they come. Ids are the
// platform's own, so those of the answer only tell its blocks apart.
import { TURN_NEXTS, type TurnNext } from "../../protocol/agents/turn-next.ts";
import { findMediaTypeProblem, isDisplayed } from "../../protocol/files/media-blocks.ts";
import { MAX_TURN_BLOCKS, MAX_TURN_CALLS } from "../../protocol/models/limits.ts";
import { MAX_CALL_ID_CHARACTERS } from "../../protocol/tools/limits.ts";
import type { WritableChunk } from "../stream/append-chunk.ts";
import { JsonEventReader } from "../stream/json-event-reader.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import type { ModelFailure } from "../stream/model-failure.ts";
import type { ProviderEvent } from "../stream/provider-event.ts";
import { asBase64, asFields, asText } from "../stream/stream-event.ts";

/**
 * Events that only the platform writes: a server that has run a tool by itself must not have it run again. Events of any
 * other type are ignored, as clients ignore what they do not know.
 */
const REFUSED: ReadonlySet<unknown> = new Set([
  "TOOL_RESULT_START",
  "TOOL_RESULT_TEXT_DELTA",
  "TOOL_RESULT_DATA_DELTA",
  "TOOL_RESULT_END",
  "REQUIRE_USER_CONFIRM",
  "REQUIRE_EXTERNAL_EXECUTION",
  "USER_CONFIRM_RESULT",
  "EXTERNAL_EXECUTION_RESULT",
  "USER_INTERRUPT",
]);

type Words = "text" | "thinking";

export class TurnReader extends JsonEventReader {
  #next: TurnNext | null = null;
  /** The block whose words came last. */
  #words: { readonly kind: Words; readonly id: string; isEnded: boolean } | null = null;
  /** By the server's ids: the place of each call in the turn, and whether its input may go on. */
  readonly #calls = new Map<string, { readonly index: number; isOpen: boolean }>();
  readonly #media = new Map<string, { readonly index: number; readonly media_type: string }>();

  constructor(isStream: boolean) {
    super(isStream, "");
  }

  override finish(): WritableChunk {
    return { next: this.#next };
  }

  protected override knows(): boolean {
    return true;
  }

  protected override readEndMarker(): void {
    this.end();
  }

  protected override readMembers(
    frame: JsonFields,
    received: ProviderEvent,
  ): readonly WritableChunk[] {
    const { events, next } = frame;
    if (typeof frame["type"] === "string") return this.#readEvent(frame);
    const isBare = typeof received !== "string" && received.isBare;
    const hasNext = Object.hasOwn(frame, "next");
    if (events !== undefined && events !== null && !Array.isArray(events)) {
      return this.#refuse("the member events of the answer is no list");
    }
    if (isBare && !Array.isArray(events) && !hasNext) {
      return this.#refuse("the answer has neither events nor next");
    }
    const chunks: WritableChunk[] = [];
    for (const event of Array.isArray(events) ? events : []) {
      const fields = asFields(event);
      if (!fields || typeof fields["type"] !== "string") {
        return this.#refuse("the answer has an event without a type");
      }
      chunks.push(...this.#readEvent(fields));
      if (this.isOver) return [];
    }
    if (hasNext && next !== null) {
      const known = TURN_NEXTS.find((one) => one === next);
      if (!known) return this.#refuse(`next is one of ${TURN_NEXTS.join(", ")}`);
      this.#next = known;
    }
    if (isBare || hasNext) this.end();
    return chunks;
  }

  #readEvent(event: JsonFields): readonly WritableChunk[] {
    switch (event["type"]) {
      case "TEXT_BLOCK_DELTA":
        return this.#say("text", event);
      case "THINKING_BLOCK_DELTA":
        return this.#say("thinking", event);
      case "TEXT_BLOCK_END":
      case "THINKING_BLOCK_END":
        if (this.#words?.id === asText(event["block_id"])) this.#words.isEnded = true;
        return [];
      case "DATA_BLOCK_START":
      case "DATA_BLOCK_DELTA":
        return this.#show(event);
      case "HINT_BLOCK":
        return this.#hint(event);
      case "TOOL_CALL_START":
        return this.#call(event);
      case "TOOL_CALL_DELTA":
      case "TOOL_CALL_END":
        return this.#continueCall(event);
      default:
        if (!REFUSED.has(event["type"])) return [];
        return this.#refuse(
          `an event of the type ${asText(event["type"])} is the platform's alone`,
        );
    }
  }

  /** A START and an END may be left out: another id is another block. */
  #say(kind: Words, { block_id, delta }: JsonFields): readonly WritableChunk[] {
    if (typeof delta !== "string") return this.#refuse("a delta is a text");
    if (delta === "") return [];
    const id = asText(block_id);
    const last = this.#words;
    const isOther = last?.kind === kind && (last.id !== id || last.isEnded);
    this.#words = { kind, id, isEnded: false };
    const said = kind === "text" ? { text: delta } : { thinking: delta };
    return isOther ? [{ ends_block: true }, said] : [said];
  }

  #hint({ hint }: JsonFields): readonly WritableChunk[] {
    if (typeof hint !== "string" || hint === "") return this.#refuse("a hint is a text");
    return [{ hint }];
  }

  #show({ type, block_id, media_type, data, url, name }: JsonFields): readonly WritableChunk[] {
    const id = asText(block_id);
    const known = this.#media.get(id);
    const shown = known?.media_type ?? asText(media_type);
    if (findMediaTypeProblem(shown) !== null || !isDisplayed(shown.replace(/[\s;].*$/, ""))) {
      return this.#refuse("media is of a type that apps display");
    }
    if (!known && (this.#media.size >= MAX_TURN_BLOCKS || id.length > MAX_CALL_ID_CHARACTERS)) {
      return this.#refuse(`a turn has ${MAX_TURN_BLOCKS} blocks, with short ids`);
    }
    const place = known ?? { index: this.#media.size, media_type: shown };
    this.#media.set(id, place);
    if (type === "DATA_BLOCK_START") return [];
    const bytes = asBase64(data);
    if (bytes === "" || (url !== undefined && url !== null)) {
      return this.#refuse("media is given as base64, in data");
    }
    const named = typeof name === "string" && name !== "" && { name };
    return [{ data: [{ ...place, data: bytes, ...named }] }];
  }

  /** Calls beyond the limit of a turn share a place: they are counted, and not made. */
  #call({ tool_call_id: id, tool_call_name: name }: JsonFields): readonly WritableChunk[] {
    if (typeof id !== "string" || id === "" || id.length > MAX_CALL_ID_CHARACTERS) {
      return this.#refuse(`a tool_call_id is a text of 1 to ${MAX_CALL_ID_CHARACTERS} characters`);
    }
    if (typeof name !== "string" || name === "") return this.#refuse("a call has a tool_call_name");
    if (this.#calls.has(id)) return this.#refuse("two calls have one tool_call_id");
    const index = this.#calls.size;
    if (index < MAX_TURN_CALLS) this.#calls.set(id, { index, isOpen: true });
    return [{ tool_calls: [{ index, id, name, delta: "" }] }];
  }

  #continueCall({ type, tool_call_id, delta }: JsonFields): readonly WritableChunk[] {
    const call = this.#calls.get(asText(tool_call_id));
    if (!call && this.#calls.size >= MAX_TURN_CALLS) return [];
    if (!call?.isOpen) return this.#refuse("a piece of a call comes between its start and its end");
    if (type === "TOOL_CALL_END") {
      call.isOpen = false;
      return [];
    }
    if (typeof delta !== "string") return this.#refuse("a delta is a text");
    return delta === "" ? [] : [{ tool_calls: [{ index: call.index, delta }] }];
  }

  /** An answer that says something else than a turn: the server would say it again. */
  #refuse(message: string): readonly WritableChunk[] {
    const failure: ModelFailure = {
      type: "unknown",
      report: { kind: "malformed_answer", message },
    };
    this.refuse(failure);
    return [];
  }
}

// One response of the server as events of the port: each text, audio and call once, whatever comes twice or too late.
import { modelError } from "../../../agent/state/model-error.ts";
import type { VoiceModelEvent } from "../../../agent/voice/voice-model.ts";
import { joinBytes } from "../join-bytes.ts";
import type { WireIds } from "../realtime/wire-ids.ts";
import type { CallPart, ResponseFrame, ResponseStatus } from "./dashscope-frames.ts";
import { FRAME_BYTES, MAX_RESPONSE_BYTES, MAX_RESPONSE_ITEMS } from "./limits.ts";

type PartFrame = Exclude<ResponseFrame, { type: "response_created" } | { type: "response_done" }>;
/** The words of the server at the end of a response. */
type EndOf = Pick<Extract<VoiceModelEvent, { type: "response_done" }>, "usage" | "error">;

interface Item {
  readonly id: string;
  text: string;
  hasAudio: boolean;
  isTextDone: boolean;
  isAudioDone: boolean;
  /** Half a sample at the end of the last piece. */
  rest: Uint8Array;
}

interface Call {
  readonly id: string;
  readonly itemId: string;
  name: string;
  isTold: boolean;
}

/** Texts and calls of a response, for the session's feed. */
interface SaidParts {
  readonly texts: readonly string[];
  readonly callIds: readonly string[];
}

export class OpenResponse {
  readonly id: string;
  readonly #ids: WireIds;
  readonly #tell: (event: VoiceModelEvent) => void;
  readonly #items = new Map<string, Item>();
  readonly #calls = new Map<string, Call>();
  #texts: string[] = [""];
  #bytes = 0;
  #isOver = false;

  /** @param wireId The server's id. */
  constructor(wireId: string, ids: WireIds, tell: (event: VoiceModelEvent) => void) {
    this.id = ids.own(wireId);
    this.#ids = ids;
    this.#tell = tell;
  }

  /** Nothing more of it is taken. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isTooLarge(): boolean {
    return this.#bytes > MAX_RESPONSE_BYTES;
  }

  get said(): SaidParts {
    const told = [...this.#calls.values()].filter(({ isTold }) => isTold);
    const texts = this.#texts.filter((text) => text !== "");
    return { texts, callIds: told.map(({ id }) => id) };
  }

  begin(): void {
    this.#tell({ type: "response_created", response_id: this.id });
  }

  take(frame: PartFrame): void {
    if (this.#isOver) return;
    this.#bytes += FRAME_BYTES;
    switch (frame.type) {
      case "audio":
        return this.#takeAudio(frame.item, frame.audio);
      case "audio_done":
        return this.#endAudio(this.#items.get(frame.item));
      case "text":
        return this.#takeText(this.#item(frame.item), frame.delta);
      case "text_done":
        return this.#endText(
          frame.text ? this.#item(frame.item) : this.#items.get(frame.item),
          frame.text,
        );
      case "call_delta":
        this.#bytes += frame.delta.length;
        this.#call(frame.item, frame);
        return;
      case "call":
        this.#call(frame.item, frame);
        return;
      case "call_done":
        return this.#endCall(this.#call(frame.item, frame), frame.input);
      case "item_done":
        return this.#endItem(this.#items.get(frame.item));
      default:
        return frame satisfies never;
    }
  }

  /** Ends it, and what of it is open. One that is complete has failed where a call of it has not come whole. */
  end(status: ResponseStatus, { usage, error }: EndOf = { usage: null }): void {
    if (this.#isOver) return;
    for (const item of this.#items.values()) this.#endItem(item);
    this.#isOver = true;
    const isHalf = status === "completed" && [...this.#calls.values()].some((call) => !call.isTold);
    const done = { type: "response_done", response_id: this.id, usage } as const;
    if (isHalf) this.#tell({ ...done, status: "failed", error: modelError("upstream") });
    else this.#tell({ ...done, status, ...(error && { error }) });
  }

  #item(theirs: string): Item | null {
    const known = this.#items.get(theirs);
    if (known) return known;
    if (this.#items.size >= MAX_RESPONSE_ITEMS) return null;
    const item: Item = {
      id: this.#ownId(theirs),
      text: "",
      hasAudio: false,
      isTextDone: false,
      isAudioDone: false,
      rest: new Uint8Array(),
    };
    this.#items.set(theirs, item);
    return item;
  }

  #takeAudio(theirs: string, bytes: Uint8Array): void {
    const item = this.#item(theirs);
    if (!item || item.isAudioDone || bytes.byteLength === 0) return;
    this.#bytes += bytes.byteLength;
    const all = item.rest.byteLength > 0 ? joinBytes([item.rest, bytes]) : bytes;
    const whole = all.byteLength - (all.byteLength % 2);
    item.rest = all.subarray(whole);
    if (whole === 0) return;
    item.hasAudio = true;
    const audio = all.subarray(0, whole);
    this.#tell({ type: "response_audio_delta", ...this.#placeOf(item), audio });
  }

  #takeText(item: Item | null, delta: string): void {
    if (!item || item.isTextDone || delta === "") return;
    this.#bytes += delta.length;
    item.text += delta;
    this.#texts[this.#texts.length - 1] += delta;
    this.#tell({ type: "response_audio_transcript_delta", ...this.#placeOf(item), delta });
  }

  /** A whole text may have more than its pieces had. */
  #endText(item: Item | null | undefined, whole: string | null): void {
    if (!item || item.isTextDone) return;
    if (whole?.startsWith(item.text)) this.#takeText(item, whole.slice(item.text.length));
    item.isTextDone = true;
    if (item.text === "") return;
    this.#tell({ type: "response_audio_transcript_done", ...this.#placeOf(item) });
  }

  #endAudio(item: Item | undefined): void {
    if (!item || item.isAudioDone) return;
    item.isAudioDone = true;
    if (item.text === "" && !item.hasAudio) return;
    this.#tell({ type: "response_audio_done", ...this.#placeOf(item) });
  }

  #endItem(item: Item | undefined): void {
    if (!item) return;
    this.#endText(item, null);
    this.#endAudio(item);
  }

  /** A call that has neither an id nor an item is that of its item's place: some frames leave one out. */
  #call(theirItem: string, { call: theirs, name }: CallPart): Call | null {
    const key = theirItem || theirs;
    const known = this.#calls.get(key);
    if (known) {
      if (known.name === "" && name) known.name = name;
      return known;
    }
    if (this.#calls.size >= MAX_RESPONSE_ITEMS || key === "") return null;
    const call: Call = {
      id: this.#ids.own(theirs || key),
      itemId: this.#ownId(theirItem),
      name: name ?? "",
      isTold: false,
    };
    this.#calls.set(key, call);
    return call;
  }

  /** Told once, and whole: by the end that has the input, whatever its pieces were. */
  #endCall(call: Call | null, input: string | null): void {
    if (!call || call.isTold || input === null) return;
    this.#bytes += input.length;
    call.isTold = true;
    if (this.#texts.at(-1) !== "") this.#texts.push("");
    const { itemId: item_id, id: call_id, name } = call;
    const ids = { response_id: this.id, item_id, call_id, name };
    this.#tell({ type: "response_tool_use_delta", ...ids, delta: input });
    this.#tell({ type: "response_tool_use_done", ...ids, input });
  }

  /** An item without an id is the response's only one. */
  #ownId(theirs: string): string {
    return this.#ids.own(theirs) || `${this.id}_item`;
  }

  #placeOf({ id }: Item) {
    return { response_id: this.id, item_id: id };
  }
}

// The media of one model call. It is held back until it is whole: what is large becomes a file, and events that name it
// are all that the log gets.
import type { KeptMedia } from "../media-store.ts";
import type { DataDelta, EventLog, ModelChunk, NewId } from "../ports.ts";
import { splitBase64 } from "../json/split-text.ts";
import { isLargeMedia, lostMediaNote } from "../state/made-media.ts";

export interface HeldBlock {
  readonly index: number;
  readonly media_type: string;
  readonly name: string | null;
  /** Base64 in pieces, each of which is complete by itself. */
  readonly data: readonly string[];
  /** Of all pieces. */
  readonly characters: number;
}

export interface MediaTarget {
  readonly log: EventLog;
  readonly newId: NewId;
}

interface WrittenBlock {
  readonly id: string;
  readonly characters: number;
}

const NONE: readonly HeldBlock[] = [];
/** Sent in many pieces, between which come pieces of text. */
const STREAMED = /^(?:audio|video)\//i;
/** The `source` of the hint about media that was left out. */
const LEFT_OUT_SOURCE = "media_left_out";

export class MediaWriter {
  readonly #target: MediaTarget;
  /** By index; the oldest first. */
  readonly #held = new Map<number, HeldBlock & { readonly data: string[] }>();
  /** The blocks whose bytes are in the log, by index. */
  readonly #written = new Map<number, WrittenBlock>();

  constructor(target: MediaTarget) {
    this.#target = target;
  }

  /** Whether a block with this index was begun. */
  has(index: number): boolean {
    return this.#held.has(index) || this.#written.has(index);
  }

  hold({ index, media_type, data, name }: DataDelta): void {
    const empty = { index, media_type, name: name ?? null, data: [], characters: 0 };
    const held = this.#held.get(index) ?? empty;
    held.data.push(data);
    this.#held.set(index, { ...held, characters: held.characters + data.length });
  }

  /**
   * Removes and returns the blocks that are whole. Audio is whole at the end of the call; anything else at the next chunk
   * that has no piece of it.
   * @param next Null at the end of the call.
   */
  takeWhole(next: ModelChunk | null): readonly HeldBlock[] {
    if (this.#held.size === 0) return NONE;
    const whole = [...this.#held.values()].filter(
      ({ index, media_type }) =>
        next === null ||
        (!STREAMED.test(media_type) && !next.data?.some((piece) => piece.index === index)),
    );
    for (const { index } of whole) this.#held.delete(index);
    return whole;
  }

  /** Whether it is too large for the log, together with what the log has of it already. */
  isLarge({ index, characters }: HeldBlock): boolean {
    return isLargeMedia(characters + (this.#written.get(index)?.characters ?? 0));
  }

  /**
   * @param kept What has become of it outside the log; null to write its bytes.
   * @returns UTF-16 units that this adds to the message.
   */
  write(block: HeldBlock, kept: KeptMedia | null): number {
    if (kept === null) return this.#writeBytes(block);
    const { log, newId } = this.#target;
    const { media_type, name } = block;
    const reply_id = log.state.message.id;
    const block_id = newId("blk");
    if (!kept.ok) {
      const hint = lostMediaNote(media_type, kept.loss);
      log.append([{ type: "HINT_BLOCK", reply_id, block_id, source: LEFT_OUT_SOURCE, hint }]);
      return hint.length;
    }
    const { url } = kept;
    log.append([
      { type: "DATA_BLOCK_START", reply_id, block_id, media_type, name },
      { type: "DATA_BLOCK_DELTA", reply_id, block_id, media_type, data: null, url },
    ]);
    return url.length;
  }

  #writeBytes({ index, media_type, name, data, characters }: HeldBlock): number {
    const { log } = this.#target;
    const before = this.#written.get(index) ?? { id: this.#begin(media_type, name), characters: 0 };
    this.#written.set(index, { ...before, characters: before.characters + characters });
    const reply_id = log.state.message.id;
    const delta = { type: "DATA_BLOCK_DELTA", reply_id, block_id: before.id, media_type } as const;
    for (const piece of data.flatMap((one) => splitBase64(one))) {
      log.appendDelta({ ...delta, data: piece, url: null });
    }
    return characters;
  }

  #begin(media_type: string, name: string | null): string {
    const { log, newId } = this.#target;
    const block_id = newId("blk");
    const reply_id = log.state.message.id;
    log.append([{ type: "DATA_BLOCK_START", reply_id, block_id, media_type, name }]);
    return block_id;
  }
}

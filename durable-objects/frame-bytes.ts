// Reading stored frames without parsing their events: a row is frames one after the other, each
// `id: <seq>\n…\n\n`, and JSON holds no raw line feed.
const LINE_FEED = 10;
const DIGIT_ZERO = 48;
const ID_PREFIX_BYTES = "id: ".length;

/** The frames whose seq is above `cursor`; a view of the same memory. */
export function framesAfter(frames: Uint8Array, cursor: number): Uint8Array {
  let start = 0;
  while (start < frames.byteLength && seqAt(frames, start) <= cursor) {
    start = nextFrame(frames, start);
  }
  return frames.subarray(start);
}

/** The `data` of every frame, in order. */
export function frameData(frames: Uint8Array): readonly string[] {
  return frameTextData(new TextDecoder().decode(frames));
}

/** As {@link frameData}, of frames that are text already. */
export function frameTextData(frames: string): readonly string[] {
  return frames
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => frame.slice(frame.indexOf("\ndata: ") + "\ndata: ".length));
}

function seqAt(frames: Uint8Array, start: number): number {
  let seq = 0;
  for (let index = start + ID_PREFIX_BYTES; index < frames.byteLength; index += 1) {
    const byte = frames[index] ?? LINE_FEED;
    if (byte === LINE_FEED) break;
    seq = seq * 10 + (byte - DIGIT_ZERO);
  }
  return seq;
}

function nextFrame(frames: Uint8Array, start: number): number {
  let index = frames.indexOf(LINE_FEED, start);
  while (index !== -1 && frames[index + 1] !== LINE_FEED) {
    index = frames.indexOf(LINE_FEED, index + 1);
  }
  return index === -1 ? frames.byteLength : index + 2;
}

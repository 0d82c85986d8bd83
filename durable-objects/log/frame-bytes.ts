// Reads stored frames without parsing their events: a row is a sequence of frames, each
// `id: <seq>\n…\n\n`, and JSON holds no raw line feed.
const LINE_FEED = 10;
const DIGIT_ZERO = 48;
const ID_PREFIX_BYTES = "id: ".length;
/** The event's name comes before the data, which contains no line feed. */
const DELTA_FRAME = /^id: \d+\nevent: \w+_DELTA\n/;

/** The frames whose seq is above `cursor`; a view of the same memory. */
export function framesAfter(frames: Uint8Array, cursor: number): Uint8Array {
  let start = 0;
  while (start < frames.byteLength && seqAt(frames, start) <= cursor) {
    start = nextFrame(frames, start);
  }
  return frames.subarray(start);
}

/** Without what is behind the last frame that has its end; a view of the same memory. */
export function wholeFrames(frames: Uint8Array): Uint8Array {
  let end = frames.byteLength;
  while (end > 0 && (frames[end - 1] !== LINE_FEED || frames[end - 2] !== LINE_FEED)) end -= 1;
  return frames.subarray(0, end);
}

/** As {@link framesAfter}, of frames that come in pieces, cut anywhere. */
export function* piecesAfter(
  pieces: Iterable<Uint8Array>,
  cursor: number,
): Generator<Uint8Array, void> {
  /** The first line of a frame as far as it has come; null inside of a frame that is passed over. */
  let line: string | null = "";
  let wasLineFeed = false;
  let isFound = false;
  for (const piece of pieces) {
    let at = 0;
    while (!isFound && at < piece.byteLength) {
      const feed = piece.indexOf(LINE_FEED, at);
      const end = feed === -1 ? piece.byteLength : feed + 1;
      if (line !== null) {
        line += String.fromCharCode(...piece.subarray(at, end));
        isFound = feed !== -1 && Number(line.slice(ID_PREFIX_BYTES)) > cursor;
        if (feed !== -1 && !isFound) line = null;
      } else if (wasLineFeed && feed === at) line = "";
      wasLineFeed = feed !== -1;
      at = end;
    }
    if (!isFound) continue;
    if (line) yield new TextEncoder().encode(line);
    line = "";
    if (at < piece.byteLength) yield piece.subarray(at);
  }
}

/** An event as its JSON. */
export interface EventText {
  readonly seq: number;
  readonly text: string;
}

/** The event of every frame, in order. */
export function frameTexts(frames: string): readonly EventText[] {
  return frames
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => ({
      seq: Number(frame.slice(ID_PREFIX_BYTES, frame.indexOf("\n"))),
      text: frame.slice(frame.indexOf("\ndata: ") + "\ndata: ".length),
    }));
}

/** As {@link frameTexts}, of the frames that are no deltas. */
export function frameTextsWithoutDeltas(frames: string): readonly EventText[] {
  const marks = frames.split("\n\n").filter((frame) => !DELTA_FRAME.test(frame));
  return frameTexts(marks.join("\n\n"));
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

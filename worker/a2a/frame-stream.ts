// Puts the frames of a task's stream into those of JSON-RPC, as they pass by: nothing is held back, however large a frame is.
// Ids and comments stay. The binding HTTP+JSON has the frames as they are.

/** @param id Of the request, as its client has written it. */
export function toRpcFrames(
  frames: ReadableStream<Uint8Array>,
  id: string | number | null,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`data: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
  const end = encoder.encode("}\n");
  /** The beginning of a line that may still become that of data. */
  let begun: number[] = [];
  let place: "begin" | "data" | "other" = "begin";
  return frames.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        let from = 0;
        while (from < chunk.length) {
          if (place === "begin") {
            const byte = chunk[from] ?? 0;
            begun.push(byte);
            from += 1;
            if (byte !== DATA[begun.length - 1]) startLine(controller, "other", byte === LINE_FEED);
            else if (begun.length === DATA.length) startLine(controller, "data", false);
            continue;
          }
          const feed = chunk.indexOf(LINE_FEED, from);
          const stop = feed === -1 ? chunk.length : feed;
          const isData = place === "data";
          const to = feed === -1 || isData ? stop : stop + 1;
          if (to > from) controller.enqueue(chunk.subarray(from, to));
          if (feed === -1) return;
          if (isData) controller.enqueue(end);
          place = "begin";
          from = stop + 1;
        }
      },
    }),
  );

  function startLine(
    controller: TransformStreamDefaultController<Uint8Array>,
    kind: "data" | "other",
    isOver: boolean,
  ): void {
    controller.enqueue(kind === "data" ? head : new Uint8Array(begun));
    begun = [];
    place = isOver ? "begin" : kind;
  }
}

const LINE_FEED = 10;
const DATA = new TextEncoder().encode("data: ");

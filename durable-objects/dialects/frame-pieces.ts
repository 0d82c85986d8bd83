import { encodeFrame } from "../../protocol/sse.ts";
import type { Piece } from "../bytes/piece-reader.ts";

/** The end of a frame, after its data. */
const FRAME_END = "\n\n";

/** A frame whose data is generated while it is read. */
export function* framePieces(
  id: string,
  event: string,
  data: Iterable<Piece>,
): Generator<Piece, void> {
  yield encodeFrame(id, event, "").slice(0, -FRAME_END.length);
  yield* data;
  yield FRAME_END;
}

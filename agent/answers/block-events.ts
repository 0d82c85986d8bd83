import type { EventDraft } from "../../protocol/events.ts";
import { splitBase64, splitText } from "../json/split-text.ts";
import type { OutputPiece } from "./external-output.ts";

/** A text or data as a whole block of the message. */
export function blockEvents(
  piece: OutputPiece,
  target: { readonly reply_id: string; readonly block_id: string },
): EventDraft[] {
  if (piece.type === "text") {
    return [
      { type: "TEXT_BLOCK_START", ...target },
      ...splitText(piece.text).map(
        (delta) => ({ type: "TEXT_BLOCK_DELTA", ...target, delta }) as const,
      ),
      { type: "TEXT_BLOCK_END", ...target, text: null },
    ];
  }
  const { media_type, url, data } = piece;
  const delta = { type: "DATA_BLOCK_DELTA", ...target, media_type } as const;
  return [
    { type: "DATA_BLOCK_START", ...target, media_type, name: null },
    ...(url === null
      ? splitBase64(data ?? "").map((part) => ({ ...delta, data: part, url: null }))
      : [{ ...delta, data: null, url }]),
    { type: "DATA_BLOCK_END", ...target },
  ];
}

// Splits the output of an external result into pieces that fit the log.
import { canonicalBase64 } from "../../protocol/base64.ts";
import { readBase64 } from "../../protocol/read-base64.ts";
import type { ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { DeltaDraft } from "../ports.ts";
import { splitBase64, splitText } from "../json/split-text.ts";

type Output = ToolResultBlock["output"];

export type OutputPiece =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "data";
      readonly block_id: string;
      readonly media_type: string;
      /** Canonical base64; null when there is a `url`. */
      readonly data: string | null;
      readonly url: string | null;
    };

/** Adjacent texts are joined with a line break, since a result stores them as one. */
export function outputPieces(output: Output): readonly OutputPiece[] {
  if (typeof output === "string") return output === "" ? [] : [{ type: "text", text: output }];
  const pieces: OutputPiece[] = [];
  for (const block of output) {
    const last = pieces.at(-1);
    if (block.type === "data") {
      const { source, id: block_id } = block;
      const { media_type } = source;
      const isUrl = source.type === "url";
      const data = isUrl ? null : (readBase64(source.data) ?? canonicalBase64(source.data));
      pieces.push({ type: "data", block_id, media_type, data, url: isUrl ? source.url : null });
    } else if (last?.type === "text") {
      pieces[pieces.length - 1] = { type: "text", text: `${last.text}\n${block.text}` };
    } else if (block.text !== "") {
      pieces.push({ type: "text", text: block.text });
    }
  }
  return pieces;
}

/** The events that write a piece. Data keeps its block's id; its name is lost, since no event has a field for it. */
export function pieceDeltas(
  piece: OutputPiece,
  target: { readonly reply_id: string; readonly tool_call_id: string },
): readonly DeltaDraft[] {
  if (piece.type === "text") {
    return splitText(piece.text).map((delta) => ({
      type: "TOOL_RESULT_TEXT_DELTA",
      ...target,
      delta,
    }));
  }
  const { block_id, media_type, url } = piece;
  const data = { type: "TOOL_RESULT_DATA_DELTA", ...target, block_id, media_type } as const;
  if (url !== null) return [{ ...data, data: null, url }];
  return splitBase64(piece.data ?? "").map((part) => ({ ...data, data: part, url: null }));
}

/** UTF-16 units that the piece adds to the message, approximately. */
export function pieceCharacters(piece: OutputPiece): number {
  return piece.type === "text" ? piece.text.length : (piece.data ?? piece.url ?? "").length;
}

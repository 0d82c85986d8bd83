import type { AgUiEvent } from "../../protocol/dialects/ag-ui/wire/events.ts";
import { jsonOf, listPieces, objectPieces } from "../bytes/json-pieces.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { framePieces } from "./frame-pieces.ts";

type RunStarted = Extract<AgUiEvent, { type: "RUN_STARTED" }>;

/** The frame of a run's start. The messages that came with the run are written one by one: they may be thousands. */
export function startedFrame(id: string, started: RunStarted): Iterable<Piece> {
  const { input } = started;
  if (!input) return framePieces(id, started.type, jsonOf(started));
  const messages = listPieces(input.messages.map((message) => jsonOf(message)));
  const large = { input: objectPieces(input, { messages }) };
  return framePieces(id, started.type, objectPieces(started, large));
}

import type { MessagesSnapshot } from "../../protocol/dialects/ag-ui/messages-snapshot.ts";
import type { AgUiMessage } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import { jsonOf, listPieces, objectPieces } from "../bytes/json-pieces.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { framePieces } from "./frame-pieces.ts";

interface SnapshotFrame {
  /** The frame's SSE id. */
  readonly id: string;
  /** The snapshot with the messages of its reply. */
  readonly snapshot: MessagesSnapshot;
  /** The messages from before the reply. @param characters The room that is left for their JSON. */
  readonly earlier: (characters: number) => Iterable<AgUiMessage>;
  /** The bound of all messages together, in characters of JSON. */
  readonly maxCharacters: number;
}

/** The frame of a snapshot with a whole conversation. Its messages are read while it is sent, one after the other. */
export function* snapshotFrame({
  id,
  snapshot,
  earlier,
  maxCharacters,
}: SnapshotFrame): Generator<Piece, void> {
  const own = snapshot.messages.map((message) => JSON.stringify(message));
  const room = own.reduce((left, { length }) => left - length, maxCharacters);
  const messages = listPieces(itemsOf(earlier(room), own));
  yield* framePieces(id, snapshot.type, objectPieces(snapshot, { messages }));
}

function* itemsOf(
  earlier: Iterable<AgUiMessage>,
  own: readonly string[],
): Generator<Iterable<Piece>, void> {
  for (const message of earlier) yield jsonOf(message);
  for (const text of own) yield [text];
}

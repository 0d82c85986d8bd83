// Answers of unbounded size: JSON that is written while it is read, in place of an RPC value, which would be in memory as
// a whole.
import type { Result } from "../protocol/errors.ts";
import { listEvents } from "./dialects/dialects.ts";
import { jsonResponse } from "./bytes/json-pieces.ts";
import type { OpenSession } from "./sessions/open-session.ts";
import type { Piece } from "./bytes/piece-reader.ts";
import type { ReadRequest } from "./api/read-request.ts";
import { listMessages, readMessage } from "./sessions/session-pages.ts";
import { viewContext } from "./sessions/view-context.ts";
import { readState } from "./sessions/agent-state.ts";
import { refusalResponse } from "./api/stream-request.ts";

export async function readResponse(session: OpenSession, request: ReadRequest): Promise<Response> {
  const read = await readPieces(session, request);
  return read.ok ? jsonResponse(read.value) : refusalResponse(read.refusal);
}

/** Resolves when what it shows is durable. */
async function readPieces(
  session: OpenSession,
  request: ReadRequest,
): Promise<Result<Iterable<Piece>>> {
  switch (request.what) {
    case "messages":
    case "formed-messages":
      return listMessages(session, request);
    case "message":
    case "formed-message":
      return readMessage(session, request.id, request);
    case "state":
      return readState(session);
    case "context":
      return viewContext(session);
    default:
      return listEvents(session, request);
  }
}

import type { Result } from "../../protocol/errors.ts";
import type { StreamPosition } from "../request/last-event-id.ts";

/**
 * The object knows that a cursor is wrong, but not where the client wrote it.
 * @param position Only a client's own has a place in its request.
 */
export function pointToCursor<Value>(
  result: Result<Value>,
  position: StreamPosition | number | null,
): Result<Value> {
  if (result.ok || position === null || typeof position === "number") return result;
  const { code, detail } = result.refusal;
  if (code !== "cursor_ahead" && code !== "invalid_cursor") return result;
  const errors = [{ pointer: position.pointer, detail }];
  return { ok: false, refusal: { ...result.refusal, errors } };
}

import type { Result } from "../../protocol/errors.ts";
import type { StreamPosition } from "../requests/last-event-id.ts";

/**
 * Adds a pointer to a refusal of the cursor: the object does not know where in the request the cursor was.
 * @param position Has a pointer only if the client sent it.
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

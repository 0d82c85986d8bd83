import type { Context } from "hono";

import { HttpError } from "../http-error.ts";

/**
 * The answer to a fork or a replay of a room. It is the same for every room and every sender, since nothing is looked at.
 * @throws HttpError `room_not_copied`, always.
 */
export function refuseRoomCopy(context: Context): never {
  const copy = context.req.param("copy") === "fork" ? "fork" : "replay";
  const way =
    copy === "fork"
      ? "open another room and import the state of this one: GET and PUT /v1/rooms/{room_id}/state"
      : "import the state of one agent into a session of its own, and replay that";
  throw new HttpError("room_not_copied", `a room has no ${copy}; ${way}`);
}

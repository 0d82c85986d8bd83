import { openTransport } from "../transport/open-transport.ts";
import type { RepriseOptions } from "../transport/reprise-options.ts";
import { RoomHandle } from "./room-handle.ts";

/**
 * A handle of one room without the rest of the API: all that a client token may use, in a smaller bundle. Sends no request.
 *
 * @throws {TypeError} when the credential or the base URL is missing.
 */
export function connectRoom(roomId: string, options: RepriseOptions): RoomHandle {
  return new RoomHandle(openTransport(options), roomId);
}

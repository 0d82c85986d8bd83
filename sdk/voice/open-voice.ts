// A session or a room that speaks, a chunk of its own for bundlers: `loadVoice` in events/load-parts.ts is the only place that imports
// its values.
import { Voice } from "./voice.ts";

/** {@link SessionHandle.speak} and {@link RoomHandle.speak} of this place. */
export function openVoice(...connection: Parameters<typeof Voice.open>): Promise<Voice> {
  return Voice.open(...connection);
}

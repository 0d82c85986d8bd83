import { BACKGROUND_TASK_ENDED } from "../../protocol/background/events.ts";
import type { LoggedEvent } from "../../protocol/events.ts";

/** Whether a room's log has this event of a participant's: what its replies do. What it was told is there already. */
export function isRoomCopy(event: LoggedEvent): boolean {
  if (event.type !== "CUSTOM") return true;
  return event.reply_id !== undefined || event.name === BACKGROUND_TASK_ENDED;
}

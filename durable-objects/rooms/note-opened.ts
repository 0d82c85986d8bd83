import { VOICE_OPENED } from "../../protocol/voice/events.ts";
import { PARTICIPANT } from "../../protocol/rooms/events.ts";
import { decidedBy } from "../acts/confirmations.ts";
import { storedSize } from "../sessions/admit-bytes.ts";
import type { OpenRoom } from "./open-room.ts";
import type { PersonAttachment } from "./room-attachment.ts";

/** The log says who speaks from here on, as that of a session. Contract: never rejects. */
export async function noteOpened(
  room: OpenRoom,
  { actor, participant }: Pick<PersonAttachment, "actor" | "participant">,
): Promise<void> {
  const metadata = { opened_by: decidedBy(actor), [PARTICIPANT]: participant };
  try {
    const admitted = await room.admitBytes(storedSize(metadata), actor.share);
    if (!admitted.ok || room.log.isClosed) return;
    const event = { type: "CUSTOM", name: VOICE_OPENED, value: {}, metadata } as const;
    room.log.append([event], { isLast: true });
  } catch (error) {
    console.error("the log does not say who speaks", { error: String(error) });
  }
}

// State that a person's socket keeps while the room's object sleeps.
import type { VoiceAttachment } from "../voice/voice-attachment.ts";

export interface PersonAttachment extends VoiceAttachment {
  /** The person who is heard here. */
  readonly participant: string;
}

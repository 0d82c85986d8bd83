import { ApiError } from "../../../../sdk/index.ts";
import { NO_SOUND } from "../../../audio/open-sound.ts";

const DEVICE_WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: "The browser does not let this page use the microphone.",
  NotFoundError: "There is no microphone.",
  NotReadableError: "Another program uses the microphone.",
};

/** Reason why one is not heard, by the browser's error. */
export function wordsOfDeviceFailure(error: unknown): string {
  const known = error instanceof Error ? DEVICE_WORDS[error.name] : undefined;
  return `${known ?? `The microphone cannot be used: ${messageOf(error)}.`} You can write, and listen.`;
}

/** Reason why a voice connection has ended, or was not opened. */
export function wordsOfVoiceEnd(error: unknown): string {
  if (messageOf(error) === NO_SOUND) return NO_SOUND;
  if (!ApiError.isInstance(error)) return `The voice connection has ended: ${messageOf(error)}.`;
  if (error.code === "voice_connected") return "Somebody else talks in this session.";
  if (error.code === "connection_expired")
    return "The time of this voice connection is over. Press Talk to go on.";
  return error.message;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// The words of spoken messages where a call is made again: its request is as old as the reply, which began before they were
// written down, and a new connection has not heard them.
import type { VoiceModel } from "../../agent/voice/voice-model.ts";
import { isUntranscribed } from "../../protocol/voice/events.ts";
import { changeRequests } from "./change-requests.ts";

export function withKnownWords(voice: VoiceModel): VoiceModel {
  return changeRequests(voice, ({ history }) => {
    const known = new Map(history.map((message) => [message.id, message]));
    const change = (messages: typeof history) =>
      Promise.resolve(
        messages.map((message) =>
          isUntranscribed(message) ? (known.get(message.id) ?? message) : message,
        ),
      );
    return Promise.resolve({ history, change });
  });
}

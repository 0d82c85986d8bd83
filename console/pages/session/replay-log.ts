// A session's log, played again: when each event comes, and the messages after it.
import { appendEvent, startMessage, type LoggedEvent, type Msg } from "../../../sdk/index.ts";

/** Longer waits, such as those for a person, are shortened to this. */
const MAX_PAUSE_MS = 3_000;

/** When each event is played, in milliseconds from the first, at the speed at which it happened. */
export function paceEvents(events: readonly LoggedEvent[]): readonly number[] {
  let atMs = 0;
  let before: number | null = null;
  return events.map(({ created_at }) => {
    const happenedMs = Date.parse(created_at);
    if (before !== null) atMs += Math.min(MAX_PAUSE_MS, Math.max(0, happenedMs - before));
    before = happenedMs;
    return atMs;
  });
}

/** Number of events that have come after this time. @param paces Ascending. */
export function countPlayed(paces: readonly number[], atMs: number): number {
  let [low, high] = [0, paces.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((paces[middle] ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The conversation after one more event: input is added, a reply begins or grows, a restore takes messages out. */
export function playEvent(messages: readonly Msg[], event: LoggedEvent): readonly Msg[] {
  if (event.type === "REPLY_START") return [...messages, startMessage(event)];
  if (event.type === "CUSTOM" && event.name === "message_added") {
    const message = event.value["message"];
    return isMessage(message) ? [...messages, message] : messages;
  }
  if (event.type === "CUSTOM" && event.name === "session_restored") {
    const last = event.value["last_message_id"];
    return messages.slice(0, messages.findLastIndex(({ id }) => id === last) + 1);
  }
  const isOfSpeech = event.type === "CUSTOM" && event.name.startsWith("speech_");
  const changed = isOfSpeech ? event.value["message_id"] : event.reply_id;
  const index = messages.findLastIndex(({ id }) => id === changed);
  const message = messages[index];
  if (!message) return messages;
  const grown = appendEvent(message, event);
  return grown === message ? messages : messages.with(index, grown);
}

function isMessage(value: unknown): value is Msg {
  return typeof value === "object" && value !== null && "content" in value && "id" in value;
}

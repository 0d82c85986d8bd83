import { recalledTexts } from "../../agent/memory/recall-hint.ts";
import type { KnownMemory } from "../../agent/memory/choose-memories.ts";
import { recordingSource, type SourceStatement } from "../../agent/memory/recording-source.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_SOURCE_BYTES } from "../../protocol/memory/limits.ts";
import type { SessionTables } from "../tables/session-tables.ts";

export interface ReadSource {
  /** Empty when nothing was said that may be remembered. */
  readonly source: readonly SourceStatement[];
  /** Memories that the reply's model was told. */
  readonly recalled: readonly KnownMemory[];
}

/** The words of a reply, as hooks have left it: its own message, and those that it was the first to read. */
export function readSource(
  { messages, changedMessages }: Pick<SessionTables, "messages" | "changedMessages">,
  replyId: string,
): ReadSource {
  const place = messages.findPlace(replyId);
  const reply = place && place.bytes <= MAX_SOURCE_BYTES ? messages.find(replyId)?.message : null;
  if (!place || !reply) return { source: [], recalled: [] };
  const ids = messages.idsOfReply(replyId, place.position).toReversed();
  let bytes = place.bytes;
  const input: Msg[] = [];
  for (const id of ids) {
    if (id === replyId) continue;
    const size = messages.findPlace(id)?.bytes ?? 0;
    bytes += size;
    const message = bytes <= MAX_SOURCE_BYTES ? messages.find(id)?.message : undefined;
    if (message) input.push(message);
  }
  const seen = changedMessages.apply([...input, reply]);
  const own = seen.at(-1) ?? reply;
  const recalled = recalledTexts(own);
  const texts = recalled.map(({ content }) => content);
  return { source: recordingSource(seen.slice(0, -1), own, texts), recalled };
}

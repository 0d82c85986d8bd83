// Memories that what is sent to a model would tell, and that are not there any more: asked where no reply asks itself.
import { MEMORY_FOLD } from "../../agent/memory/memory-fold.ts";
import { toldMemories } from "../../agent/memory/recall-hint.ts";
import type { GoneMemories } from "../../agent/memory/without-memories.ts";
import type { MemoryStore } from "../../agent/memory-store.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { goneInTime } from "./reply-memory.ts";
import type { SessionTables } from "../tables/session-tables.ts";

/**
 * @param openStore Not called where no memory was told. @returns all of them where there is no store, or it does not
 *   answer.
 */
export async function goneMemories(
  messages: readonly Msg[],
  { abilities }: { readonly abilities: Pick<SessionTables["abilities"], "read"> },
  openStore: () => MemoryStore | null,
): Promise<GoneMemories> {
  const known = new Set(abilities.read(MEMORY_FOLD).gone);
  const told = [...toldMemories(messages).keys()].filter((id) => !known.has(id));
  if (told.length === 0) return known;
  const store = openStore();
  const gone = store && (await goneInTime(store, told));
  return gone === null ? "all" : new Set([...known, ...gone]);
}

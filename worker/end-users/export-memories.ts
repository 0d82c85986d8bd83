// The memories of an end user in an export: with every agent, store by store, in pages of a bounded number of requests.
import type { EndUserExportLine } from "../../protocol/end-users/contract.ts";
import { EXPORTED_MEMORY_PAGES, EXPORTED_STORES_AT_ONCE } from "../../protocol/end-users/limits.ts";
import { isId } from "../../protocol/ids.ts";
import { listEndUserStores } from "../../storage/memory/store-registry.ts";
import type { AppContext } from "../app-env.ts";
import { memoryStub } from "../objects/memory-stub.ts";
import { tenantOf } from "../principal.ts";

/** Behind a store, and behind a memory of the next one: empty where there is none. */
export interface MemoryPlace {
  readonly after: string;
  readonly store: string;
  readonly memory: string;
}

const NONE = "-";
const BEGINNING: MemoryPlace = { after: "", store: "", memory: "" };

/** The text of a page token. */
export function memoryPlaceKey({ after, store, memory }: MemoryPlace): string {
  return ["memories", ...[after, store, memory].map((id) => id || NONE)].join(" ");
}

/** Null for a text of another form. */
export function readMemoryPlace(text: string): MemoryPlace | null {
  const [word, after = "", store = "", memory = "", ...more] = text.split(" ");
  if (word !== "memories" || more.length > 0) return null;
  const isStore = (id: string): boolean => id === NONE || isId("memstore", id);
  if (!isStore(after) || !isStore(store) || (memory !== NONE && !isId("mem", memory))) return null;
  const idOf = (id: string): string => (id === NONE ? "" : id);
  return { after: idOf(after), store: idOf(store), memory: idOf(memory) };
}

/** Also of memories that were deleted, their versions. @returns where the next page goes on; null at the end. */
export async function* exportMemories(
  context: AppContext,
  endUserId: string,
  from: MemoryPlace = BEGINNING,
): AsyncGenerator<EndUserExportLine[], MemoryPlace | null> {
  const tenantId = tenantOf(context);
  const until = new Date().toISOString();
  let { after } = from;
  let pages = EXPORTED_MEMORY_PAGES;
  for (;;) {
    const most = EXPORTED_STORES_AT_ONCE;
    const asked = { tenantId, endUserId, until, most, after };
    const stores = await listEndUserStores(context.env.DB, asked);
    for (const { id, agent_id } of stores) {
      const stub = memoryStub(context.env, tenantId, id);
      // Of a store that is gone since the page before, the next one is read from its beginning.
      let memory: string | null = id === from.store ? from.memory : "";
      while (memory !== null) {
        if (pages === 0) return { after, store: id, memory };
        pages -= 1;
        const { memories, next } = await stub.export(memory);
        const of = { type: "memory", memory_store_id: id, agent_id } as const;
        yield memories.map(({ memory: one, versions }) => {
          return { ...of, memory: one, versions: [...versions] };
        });
        memory = next;
      }
      after = id;
    }
    if (stores.length < most) return null;
  }
}

// Blocks that a hook has taken out of a message, and new ones that it has put between others.
import type { BlockPlace, HookChange } from "../hooks/events.ts";
import type { ContentBlock } from "../messages/blocks.ts";
import type { Msg } from "../messages/messages.ts";

/** Results and hints stay: a call needs its result, and a hint is not the model's. */
const REMOVABLE: ReadonlySet<unknown> = new Set(["text", "thinking", "data", "tool_call"]);

/** The values are free JSON: what is no place of a block is ignored, and a block whose place is gone stays at the end. */
export function arrangeBlocks(
  message: Msg,
  { removed, added }: { readonly [Name in keyof Pick<HookChange, "removed" | "added">]?: unknown },
): Msg {
  const gone = new Set(
    placesIn(removed).flatMap((place) => (isRemovable(place) ? keyOf(place) : [])),
  );
  const kept = message.content.filter((block) => !gone.has(keyOf(block)));
  const leads = leadsOf(kept, added);
  const moved = new Set([...leads.values()].flat());
  const placed = new Set<string>();
  const content = kept.flatMap((block): readonly ContentBlock[] => {
    if (moved.has(block)) return [];
    const key = keyOf(block);
    const lead = placed.has(key) ? [] : (leads.get(key) ?? []);
    placed.add(key);
    return [...lead, block];
  });
  const isSame = content.every((block, index) => block === message.content[index]);
  return isSame && content.length === message.content.length ? message : { ...message, content };
}

interface AddedBlock {
  readonly id?: unknown;
  readonly before?: unknown;
}

function keyOf({ type, id }: BlockPlace): string {
  return `${type}:${id}`;
}

function isRemovable({ type }: BlockPlace): boolean {
  return REMOVABLE.has(type);
}

/** By the key of a block that stays, the new ones before it. */
function leadsOf(
  kept: readonly ContentBlock[],
  added: unknown,
): ReadonlyMap<string, readonly ContentBlock[]> {
  const leads = new Map<string, ContentBlock[]>();
  if (!Array.isArray(added) || added.length === 0) return leads;
  const places = (added as readonly unknown[]).map((one) => (one ?? {}) as AddedBlock);
  const ids = new Set(places.map(({ id }) => id));
  const isNew = (block: ContentBlock): boolean => isSaid(block) && ids.has(block.id);
  // A new block has no place of its own yet, so that none comes before it.
  const keys = new Set(kept.flatMap((block) => (isNew(block) ? [] : keyOf(block))));
  const newest = new Map(kept.flatMap((block) => (isSaid(block) ? [[block.id, block]] : [])));
  for (const { id, before } of places) {
    const block = typeof id === "string" ? newest.get(id) : undefined;
    const [place] = placesIn([before]);
    if (!block || !place) continue;
    const key = keyOf(place);
    if (!keys.has(key)) continue;
    newest.delete(block.id);
    leads.set(key, [...(leads.get(key) ?? []), block]);
  }
  return leads;
}

function isSaid({ type }: ContentBlock): boolean {
  return type === "text" || type === "data";
}

function placesIn(value: unknown): readonly BlockPlace[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).flatMap((one) => {
    if (typeof one !== "object" || one === null) return [];
    const { type, id } = one as { readonly type?: unknown; readonly id?: unknown };
    return typeof type === "string" && typeof id === "string"
      ? [{ type: type as ContentBlock["type"], id }]
      : [];
  });
}

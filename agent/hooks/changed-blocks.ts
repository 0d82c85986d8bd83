// The change that a hook's answer makes to the blocks of a message: other texts, blocks that go, and blocks that come.
import type { HookAnswer } from "../../protocol/hooks/contract.ts";
import type { BlockPlace, HookChange, HookPoint } from "../../protocol/hooks/events.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import { putRight } from "../../protocol/put-right.ts";
import type { OutputPiece } from "../answers/external-output.ts";
import type { NewId } from "../ports.ts";

type Output = NonNullable<HookAnswer["output"]>;
type ListedBlock = NonNullable<Output["blocks"]>[number];
export type NewBlock = Exclude<ListedBlock, { id: string }>;

interface Shown {
  readonly point: HookPoint;
  readonly blocks: readonly ContentBlock[];
}

/** Blocks that the hook has listed without an id, in their order: each is a new one. */
export function newBlocks({ blocks = [] }: Output): readonly NewBlock[] {
  return blocks.filter(isNew);
}

/** The content of a new block; null for media that cannot be read. */
export function pieceOf(block: NewBlock): OutputPiece | null {
  if (block.type === "text") return { type: "text", text: block.text };
  const source = putRight(block.source);
  if (!source) return null;
  const { media_type } = source;
  const content =
    source.type === "url" ? { data: null, url: source.url } : { data: source.data, url: null };
  return { type: "data", block_id: "", media_type, ...content };
}

/**
 * Null when nothing changes. `invalid` for a block that was not shown or may not go, and for media that cannot be read.
 */
export function changedBlocks(
  output: Output,
  shown: Shown,
  newId: NewId,
): HookChange | null | "invalid" {
  const removed = removedBlocks(output.remove ?? [], shown);
  const blocks = changedTexts(output.blocks ?? [], shown, removed ?? []);
  if (!removed || !blocks || newBlocks(output).some((block) => !pieceOf(block))) return "invalid";
  const kept = shown.blocks.filter((block) => !isAt(block, removed));
  const places = placesOf(output.blocks ?? [], shown.blocks, kept);
  const added = places.map((before) => ({ id: newId("blk"), before }));
  if (blocks.length + removed.length + added.length === 0) return null;
  return {
    ...(blocks.length > 0 && { blocks }),
    ...(removed.length > 0 && { removed }),
    ...(added.length > 0 && { added }),
  };
}

function isNew(block: ListedBlock): block is NewBlock {
  return !("id" in block) || block.id === undefined;
}

function isAt({ type, id }: ContentBlock, places: readonly BlockPlace[]): boolean {
  return places.some((place) => place.id === id && place.type === type);
}

/** Null for a block that was not shown. */
function changedTexts(
  listed: readonly ListedBlock[],
  { blocks: shown }: Shown,
  removed: readonly BlockPlace[],
): NonNullable<HookChange["blocks"]> | null {
  const texts: { id: string; text: string }[] = [];
  for (const one of listed) {
    if (isNew(one)) continue;
    const block = shown.find(({ id }) => id === one.id);
    if (!block) return null;
    const text = "text" in one ? one.text : undefined;
    const isChanged = block.type === "text" && text !== undefined && text !== block.text;
    if (isChanged && !isAt(block, removed)) texts.push({ id: one.id, text });
  }
  return texts;
}

/** Each once. Null where one of them has to stay. */
function removedBlocks(
  ids: readonly string[],
  { point, blocks }: Shown,
): readonly BlockPlace[] | null {
  const removed: BlockPlace[] = [];
  for (const id of new Set(ids)) {
    const block = blocks.find((one) => one.id === id && one.type !== "tool_result");
    if (!block || !mayGo(block, point)) return null;
    removed.push({ type: block.type, id });
  }
  const kept = blocks.filter((block) => !isAt(block, removed));
  const isBroken = removed.some(
    ({ type, id }) => type === "thinking" && ledToCall(id, blocks, kept),
  );
  return isBroken ? null : removed;
}

/** A call goes before it is started alone: what was done has a result, and a person that was asked has the question. */
function mayGo(block: ContentBlock, point: HookPoint): boolean {
  if (block.type === "tool_call") return point === "post_reasoning" && block.state === "pending";
  return block.type === "text" || block.type === "thinking" || block.type === "data";
}

/** Whether a call that stays is of the same model call as the thought: providers want the one with the other. */
function ledToCall(
  id: string,
  blocks: readonly ContentBlock[],
  kept: readonly ContentBlock[],
): boolean {
  let turn: ContentBlock[] = [];
  let hasThought = false;
  for (const block of blocks) {
    const isEnd = block.type === "tool_result" || block.type === "hint";
    if (isEnd && hasThought) break;
    if (isEnd) turn = [];
    else turn.push(block);
    hasThought ||= block.type === "thinking" && block.id === id;
  }
  return turn.some((block) => block.type === "tool_call" && kept.includes(block));
}

/**
 * For each new block the one that it comes before, null for the end. It follows the block that is listed before it; where
 * there is none it precedes the next one that is listed. No block comes before a thought, with which a turn begins.
 */
function placesOf(
  listed: readonly ListedBlock[],
  shown: readonly ContentBlock[],
  kept: readonly ContentBlock[],
): readonly (BlockPlace | null)[] {
  const stay = new Set(kept);
  const indexOf = (one: ListedBlock): number =>
    isNew(one) ? -1 : shown.findIndex(({ id }) => id === one.id);
  let previous: ListedBlock | undefined;
  return listed.flatMap((one, index) => {
    if (!isNew(one)) {
      previous = one;
      return [];
    }
    const next = listed.slice(index + 1).find((other) => !isNew(other));
    if (!previous && !next) return [null];
    const from = previous ? indexOf(previous) + 1 : next ? indexOf(next) : 0;
    const before = shown.slice(from).find((block) => stay.has(block) && block.type !== "thinking");
    return [before ? { type: before.type, id: before.id } : null];
  });
}

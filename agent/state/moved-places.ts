import type { ContentBlock } from "../../protocol/messages/blocks.ts";

/**
 * Places between the blocks of a message, once blocks have gone from it or come into it: a place stays behind the last block
 * before it that is still there. The order of the others has to be the same.
 */
export function movedPlaces(
  before: readonly ContentBlock[],
  after: readonly ContentBlock[],
): (place: number) => number {
  const places = new Map(after.map((block, index) => [keyOf(block), index + 1]));
  const moved = [0];
  for (const block of before) moved.push(places.get(keyOf(block)) ?? moved.at(-1) ?? 0);
  return (place) => moved[place] ?? after.length;
}

function keyOf({ type, id }: ContentBlock): string {
  return `${type}:${id}`;
}

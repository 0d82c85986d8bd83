/**
 * Works on the items, `most` of them at once, in their order.
 * @returns the results in the order of the items. @throws as the first `work` that does; no item is begun after that.
 */
export async function inTurns<Item, Value>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = [];
  const waiting = items.entries();
  let hasFailed = false;
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeTurns));
  return values;

  async function takeTurns(): Promise<void> {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      try {
        values[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  }
}

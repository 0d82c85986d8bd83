// The same act on many things, one after another.

export interface ManyResult {
  readonly done: number;
  /** Outcomes and refusals in words, each with its count, in the order in which they first came. */
  readonly outcomes: readonly (readonly [outcome: string, count: number])[];
}

interface ManyOptions {
  /** When aborted, what has begun ends, and nothing further begins. */
  readonly signal: AbortSignal;
  readonly onResult: (result: ManyResult) => void;
  readonly textOf: (error: unknown) => string;
}

/** Contract: never rejects. A failure of one is its outcome, and the others go on. */
export async function runMany<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<string>,
  { signal, onResult, textOf }: ManyOptions,
): Promise<void> {
  const counts = new Map<string, number>();
  let done = 0;
  for (const item of items) {
    if (signal.aborted) return;
    // Sequential: hundreds of replies at once would reach the tenant's quota, and its model's rate limit.
    const outcome = await run(item).catch(textOf);
    done += 1;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    onResult({ done, outcomes: [...counts] });
  }
}

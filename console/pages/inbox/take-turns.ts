/**
 * At most so many tasks at a time; the others wait for their turn, in their order. One whose signal ends before its turn is
 * left out.
 */
export function takeTurns(
  most: number,
): <Result>(task: () => Promise<Result>, signal: AbortSignal) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task, signal) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      signal.throwIfAborted();
      return await task();
    } finally {
      // The place goes to the next one without becoming free in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

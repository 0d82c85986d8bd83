/** Resolves with `promise`, or after `timeoutMs` milliseconds. */
export async function withTimeout(promise: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

/**
 * The promise's value. Leaves no timer behind, which would keep the object in memory.
 * @throws when there is none after `deadlineMs` milliseconds; what the promise stands for goes on.
 */
export async function withinDeadline<Value>(
  promise: Promise<Value>,
  deadlineMs: number,
): Promise<Value> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer for ${deadlineMs} ms`)), deadlineMs);
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

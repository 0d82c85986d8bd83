/**
 * The promise's value. Clears its timer, which would keep the object in memory.
 * @throws after `deadlineMs` milliseconds without a value; the work itself is not cancelled.
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

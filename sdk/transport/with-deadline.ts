import { ConnectionError } from "./connection-error.ts";

/** The promise's own outcome, or a {@link ConnectionError} after the deadline. The caller aborts the work itself. */
export async function withDeadline<Value>(
  promise: Promise<Value>,
  deadlineMs: number,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const fail = () => reject(new ConnectionError(`nothing came for ${deadlineMs} ms`));
    timer = setTimeout(fail, deadlineMs);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

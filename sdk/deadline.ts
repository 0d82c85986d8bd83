import { ConnectionError } from "./connection-error.ts";

/**
 * The promise's own outcome, or a {@link ConnectionError} with this text when it takes longer. The caller ends
 * whatever is under way.
 */
export async function withDeadline<Value>(
  promise: Promise<Value>,
  deadlineMs: number,
  text: string,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError(text)), deadlineMs);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

import { KEY_LOOKUP_MS } from "../../protocol/keys/limits.ts";

/** Carries the runtime's mark of a retryable failure. */
class LookupTimeout extends Error {
  readonly retryable = true;
}

/** Limits the time of a D1 lookup: a failing database often answers late or never. @throws a retryable error. */
export async function withLookupDeadline<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new LookupTimeout(`no answer within ${KEY_LOOKUP_MS} ms`)),
      KEY_LOOKUP_MS,
    );
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

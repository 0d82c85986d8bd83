import { KEY_LOOKUP_MS } from "../../protocol/limits/authentication.ts";

/** The runtime's own mark of what another try may get past. */
class LookupTimeout extends Error {
  readonly retryable = true;
}

/** Who is in trouble often answers late or never. @throws an error that another try may get past. */
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

import { UNAVAILABLE_RETRY_SECONDS } from "../../protocol/requests/limits.ts";
import { HttpError } from "../http-error.ts";

/** Runs an operation of R2. @throws HttpError `unavailable` when R2 fails. */
export async function inBucket<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    console.warn("files: R2 failed", { error: String(error) });
    throw new HttpError("unavailable", "files cannot be stored or read at the moment; try again", {
      headers: { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) },
    });
  }
}

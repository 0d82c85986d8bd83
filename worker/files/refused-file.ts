import { UNAVAILABLE_RETRY_SECONDS } from "../../protocol/requests/limits.ts";
import type { StoreOutcome } from "../../storage/files/store-file.ts";
import { HttpError, notFound } from "../http-error.ts";

/** The error for a file that was not stored. */
export function refusedFile(reason: Extract<StoreOutcome, { ok: false }>["reason"]): HttpError {
  if (reason === "gone") return notFound("session");
  // The row of a file that is being deleted is in the way of a new one of the same id.
  return new HttpError("unavailable", "a file with this content is being deleted; try again", {
    headers: { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) },
  });
}

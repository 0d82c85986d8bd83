import type { ApiError } from "../transport/api-error.ts";
import type { PathParts, RequestOptions } from "../transport/api-request.ts";
import type { Transport } from "../transport/transport.ts";

/** Posts an answer. Null when an earlier attempt succeeded and its response was lost. */
export function postAnswer<Body>(
  transport: Transport,
  path: PathParts,
  body: object,
  options?: RequestOptions,
): Promise<Body | null> {
  const isDone = ({ problem }: ApiError) => problem?.["same_answer"] === true;
  return transport.call({ ...options, method: "POST", path, body, isDone });
}

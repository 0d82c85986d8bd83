import type { AppContext } from "../app-env.ts";
import { fetchEventStream, type StreamQuery } from "./event-stream.ts";
import { unwrap } from "../http-error.ts";
import type { SessionStub } from "./session-stub.ts";

/**
 * The stream that a reader asks for.
 * @param headers More headers of the answer, also of a refusal.
 * @throws HttpError that points to the reader's position when that is none of the session's.
 */
export async function answerStream(
  context: AppContext,
  stub: SessionStub,
  range: StreamQuery,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = unwrap(await fetchEventStream(stub, range, headers), headers);
  if (context.req.method !== "HEAD") return response;
  // The stream behind the headers must not stay open unread.
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

import type { AppContext } from "../app-env.ts";
import { asksForSocket } from "../requests/upgrade.ts";
import { fetchEventSocket, fetchEventStream, type StreamQuery } from "./event-stream.ts";
import { unwrap } from "../http-error.ts";
import type { SessionStub } from "../objects/session-stub.ts";

/**
 * The requested event stream, or the WebSocket with its events.
 * @param headers Additional response headers, also for a refusal.
 * @throws HttpError with a pointer to the reader's position when that is invalid.
 */
export async function answerStream(
  context: AppContext,
  stub: Pick<SessionStub, "fetch">,
  range: StreamQuery,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  if (asksForSocket(context)) {
    return unwrap(await fetchEventSocket(context, stub, range));
  }
  const response = unwrap(await fetchEventStream(stub, range, headers), headers);
  if (context.req.method !== "HEAD") return response;
  // Cancels the body, which would stay open unread otherwise.
  await response.body?.cancel();
  return new Response(null, { status: response.status, headers: response.headers });
}

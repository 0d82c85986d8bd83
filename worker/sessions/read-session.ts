import { readUrl, type ReadRequest } from "../../durable-objects/api/read-request.ts";
import { REFUSAL_HEADER } from "../../durable-objects/api/session-api.ts";
import { accept, type Refusal, type Result } from "../../protocol/errors.ts";
import type { AppContext } from "../app-env.ts";
import type { SessionStub } from "../objects/session-stub.ts";

/** Streams the object's response through unchanged, without buffering it. */
export async function readSession(
  context: AppContext,
  stub: Pick<SessionStub, "fetch">,
  request: ReadRequest,
): Promise<Result<Response>> {
  const response = await stub.fetch(readUrl(request));
  if (response.headers.has(REFUSAL_HEADER)) {
    return { ok: false, refusal: await response.json<Refusal>() };
  }
  const headers = { "Content-Type": "application/json" };
  if (context.req.method !== "HEAD") return accept(new Response(response.body, { headers }));
  // Cancels the body, which would stay open unread otherwise.
  await response.body?.cancel();
  return accept(new Response(null, { headers }));
}

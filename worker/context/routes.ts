// The context of a session's next model call, and compression of it on request.
import { CompressSchema } from "../../protocol/context/compression.ts";
import type { RouteHandler } from "../app-env.ts";
import { unwrap } from "../http-error.ts";
import { readBody } from "../requests/read-body.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";
import { readSession } from "../sessions/read-session.ts";
import { shownCompression } from "../sessions/shown-reply.ts";

const readContext: RouteHandler = async (context) =>
  unwrap(await readSession(context, pathSessionStub(context), { what: "context" }));

/** Waits for the summary as long as a reply is waited for; then 202, and it is made all the same. */
const compress: RouteHandler = async (context) => {
  const done = await actOnSession(context, "compress", await readBody(context, CompressSchema));
  const shown = shownCompression(context.get("principal"), done);
  return context.json(shown, done.status === "queued" ? 202 : 200);
};

export const contextRoutes = { readContext, compress };

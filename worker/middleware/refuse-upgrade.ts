// Upgrades of routes that have no WebSocket: passed over, they would look to their client like a handshake that failed.
import type { MiddlewareHandler } from "hono";

import type { Route } from "../../protocol/routes.ts";
import { ROUTES } from "../../protocol/routes.ts";
import { EVENTS_PROTOCOL } from "../../protocol/voice/sockets.ts";
import type { AppEnv } from "../app-env.ts";
import { fieldError } from "../http-error.ts";
import { wantsWebSocket } from "../requests/upgrade.ts";

/** The paths of event streams, each with the parameter of what it is a stream of. */
const STREAMS = (ROUTES as readonly Route[])
  .filter(({ subprotocol }) => subprotocol === EVENTS_PROTOCOL)
  .map(({ path }) => ({ path, parameter: /\{(\w+)\}/.exec(path)?.[1] ?? "" }));

/** Behind the check of the credential, and before anything is looked up: the answer says nothing of what there is. */
export const refuseUpgrade: MiddlewareHandler<AppEnv> = async (context, next) => {
  const { path, subprotocol } = context.get("route");
  if (subprotocol === undefined && wantsWebSocket(context)) {
    const streams = streamsFor(context.req.param()).map((stream) => `GET ${stream}`);
    const detail = `${path} has no WebSocket: events come with ${streams.join(" and ")}, as a stream of server-sent events or, with the subprotocol ${EVENTS_PROTOCOL}, over a WebSocket`;
    throw fieldError("validation_failed", "#/headers/upgrade", detail);
  }
  await next();
};

/** The stream of the session or the room in the path; of a path with neither the general ones. */
function streamsFor(parameters: Readonly<Record<string, string>>): readonly string[] {
  const own = STREAMS.flatMap(({ path, parameter }) => {
    const id = parameters[parameter];
    return id === undefined ? [] : [path.replace(`{${parameter}}`, id)];
  });
  return own.length > 0 ? own : STREAMS.map(({ path }) => path);
}

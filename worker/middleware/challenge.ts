import type { MiddlewareHandler } from "hono";

import { isId } from "../../protocol/ids.ts";
import type { AppEnv } from "../app-env.ts";
import { mcpAddress } from "../token-issuers/mcp-address.ts";

/**
 * A 401 of a route that takes issued tokens says where the resource's metadata is (RFC 9728), by which a client finds
 * the issuer to sign in with.
 */
export const challenge: MiddlewareHandler<AppEnv> = async (context, next) => {
  await next();
  const agentId = context.req.param("agent_id");
  if (context.res.status !== 401 || !context.get("route").takes_issued_tokens) return;
  if (agentId === undefined || !isId("agt", agentId)) return;
  const { metadata } = mcpAddress(context, agentId);
  const isSent = context.req.header("Authorization") !== undefined;
  const error = isSent ? ', error="invalid_token"' : "";
  context.res.headers.set(
    "WWW-Authenticate",
    `Bearer realm="reprise", resource_metadata="${metadata}"${error}`,
  );
};

// The HTTP app: registers the route table, with the same middleware in the same order for every row.
import { Hono } from "hono";
import type { MiddlewareHandler } from "hono";

import { RESOURCE_METADATA_PATH } from "../protocol/agent-mcp/routes.ts";
import type { Route, RouteName } from "../protocol/routes.ts";
import { ROUTES } from "../protocol/routes.ts";
import type { AppEnv, RouteHandler } from "./app-env.ts";
import { handleError } from "./handle-error.ts";
import { HttpError } from "./http-error.ts";
import { apiHeaders } from "./middleware/api-headers.ts";
import { authenticate } from "./middleware/authenticate.ts";
import { challenge } from "./middleware/challenge.ts";
import { checkPath } from "./middleware/check-path.ts";
import { idempotency } from "./middleware/idempotency.ts";
import { openCors } from "./middleware/open-cors.ts";
import { describeUnknownRoute } from "./request/describe-unknown-route.ts";
import { announceLimits } from "./request/rate-limit.ts";
import { quoteShort } from "./request/quote-short.ts";
import { requestId } from "./middleware/request-id.ts";
import { trace } from "./middleware/trace.ts";
import { agUiRoutes } from "./routes/ag-ui-routes.ts";
import { agentRoutes } from "./routes/agents/agent-routes.ts";
import { apiKeyRoutes } from "./routes/api-key-routes.ts";
import { auditRoutes } from "./routes/audit-routes.ts";
import { callbackRoutes } from "./routes/callback-routes.ts";
import { clientTokenRoutes } from "./routes/sessions/client-token-routes.ts";
import { consoleLinkRoutes } from "./routes/console-link-routes.ts";
import { consoleSite } from "./routes/console-site.ts";
import { confirmationRoutes } from "./routes/confirmation-routes.ts";
import { contextRoutes } from "./routes/sessions/context-routes.ts";
import { conversationRoutes } from "./routes/sessions/conversation-routes.ts";
import { credentialRoutes } from "./routes/credential-routes.ts";
import { decisionRoutes } from "./routes/sessions/decision-routes.ts";
import { eventRoutes } from "./routes/sessions/event-routes.ts";
import { documentationSite } from "./routes/documentation-site.ts";
import { fileRoutes } from "./routes/file-routes.ts";
import { healthRoutes } from "./routes/health-routes.ts";
import { hookRoutes } from "./routes/sessions/hook-routes.ts";
import { inboundEndpointRoutes } from "./routes/inbound-endpoint-routes.ts";
import { inboundRoutes } from "./routes/inbound-routes.ts";
import { limitRoutes } from "./routes/limit-routes.ts";
import { mcpServerRoutes } from "./routes/mcp/mcp-server-routes.ts";
import { connectionRoutes } from "./routes/mcp/connection-routes.ts";
import { mcpToolRoutes } from "./routes/mcp/mcp-tool-routes.ts";
import { messageRoutes } from "./routes/sessions/message-routes.ts";
import { openApiRoutes } from "./routes/openapi-routes.ts";
import { operatorRoutes } from "./routes/operator-routes.ts";
import { permissionRuleRoutes } from "./routes/sessions/permission-rule-routes.ts";
import { permissionSimulationRoutes } from "./routes/agents/permission-simulation-routes.ts";
import { toolCallRoutes } from "./routes/agents/tool-call-routes.ts";
import { replayRoutes } from "./routes/agents/replay-routes.ts";
import { replyRoutes } from "./routes/sessions/reply-routes.ts";
import { sessionRoutes } from "./routes/sessions/session-routes.ts";
import { mcpResourceRoutes } from "./routes/sessions/mcp-resource-routes.ts";
import { toolGroupRoutes } from "./routes/sessions/tool-group-routes.ts";
import { planRoutes } from "./routes/sessions/plan-routes.ts";
import { sharedStateRoutes } from "./routes/sessions/shared-state-routes.ts";
import { skillRoutes } from "./routes/skill-routes.ts";
import { streamTicketRoutes } from "./routes/sessions/stream-ticket-routes.ts";
import { tenantDecisionRoutes } from "./routes/tenant-decision-routes.ts";
import { tenantRoutes } from "./routes/tenant-routes.ts";
import { agentMcpRoutes } from "./routes/agent-mcp-routes.ts";
import { modelRoutes } from "./routes/agents/model-routes.ts";
import { tokenIssuerRoutes } from "./routes/token-issuer-routes.ts";
import { usageRoutes } from "./routes/usage-routes.ts";
import { webhookDeliveryRoutes } from "./routes/webhook-delivery-routes.ts";
import { webhookEndpointRoutes } from "./routes/webhook-endpoint-routes.ts";

/** Typed so that every row has a handler and every handler a row. */
const HANDLERS: Record<RouteName, RouteHandler> = {
  ...healthRoutes,
  ...openApiRoutes,
  ...tenantRoutes,
  ...operatorRoutes,
  ...apiKeyRoutes,
  ...consoleLinkRoutes,
  ...credentialRoutes,
  ...agentRoutes,
  ...skillRoutes,
  ...permissionSimulationRoutes,
  ...replayRoutes,
  ...toolCallRoutes,
  ...sessionRoutes,
  ...replyRoutes,
  ...eventRoutes,
  ...messageRoutes,
  ...conversationRoutes,
  ...contextRoutes,
  ...hookRoutes,
  ...planRoutes,
  ...toolGroupRoutes,
  ...mcpResourceRoutes,
  ...sharedStateRoutes,
  ...agUiRoutes,
  ...agentMcpRoutes,
  ...tokenIssuerRoutes,
  ...fileRoutes,
  ...mcpServerRoutes,
  ...mcpToolRoutes,
  ...connectionRoutes,
  ...permissionRuleRoutes,
  ...decisionRoutes,
  ...tenantDecisionRoutes,
  ...confirmationRoutes,
  ...clientTokenRoutes,
  ...streamTicketRoutes,
  ...callbackRoutes,
  ...inboundEndpointRoutes,
  ...inboundRoutes,
  ...modelRoutes,
  ...usageRoutes,
  ...auditRoutes,
  ...limitRoutes,
  ...webhookEndpointRoutes,
  ...webhookDeliveryRoutes,
};

export const app = new Hono<AppEnv>();

app.onError(handleError);
app.notFound((context) => {
  const detail = describeUnknownRoute(context.req.method, context.req.path);
  return handleError(new HttpError("not_found", detail), context);
});

app.use(requestId, trace);
app.use("/v1/*", openCors, apiHeaders);
// Clients in a browser read it before they sign in.
app.use(`${RESOURCE_METADATA_PATH}/*`, openCors, apiHeaders);

for (const route of ROUTES) {
  app.on(
    route.method,
    toHonoPath(route.path),
    remember(route),
    announceLimits,
    challenge,
    authenticate,
    checkPath,
    idempotency,
    HANDLERS[route.name],
  );
}
app.route("/", documentationSite);
app.route("/", consoleSite);
for (const path of new Set(ROUTES.map((route) => route.path))) {
  app.all(toHonoPath(path), (context) => {
    const methods = ROUTES.filter((route) => route.path === path).map((route) => route.method);
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    throw new HttpError(
      "method_not_allowed",
      `${path} does not take ${quoteShort(context.req.method).slice(1, -1)}; it takes ${allow.join(", ")}`,
      {
        headers: { Allow: allow.join(", ") },
      },
    );
  });
}

function toHonoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function remember(route: Route): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    context.set("route", route);
    await next();
  };
}

// The HTTP app: registers the route table, with the same middleware in the same order for every row.
import { Hono } from "hono";
import type { MiddlewareHandler } from "hono";

import { A2A_KEYS_PATH } from "../protocol/a2a/routes.ts";
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
import { refuseUpgrade } from "./middleware/refuse-upgrade.ts";
import { describeUnknownRoute } from "./requests/describe-unknown-route.ts";
import { announceLimits } from "./requests/rate-limit.ts";
import { quoteShort } from "./requests/quote-short.ts";
import { requestId } from "./middleware/request-id.ts";
import { trace } from "./middleware/trace.ts";
import { a2aRoutes } from "./a2a/routes.ts";
import { agUiRoutes } from "./ag-ui/routes.ts";
import { agentRoutes } from "./agents/routes.ts";
import { apiKeyRoutes } from "./keys/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { callbackRoutes } from "./inbound/callback-routes.ts";
import { clientTokenRoutes } from "./client-tokens/routes.ts";
import { consoleLinkRoutes } from "./console/routes.ts";
import { consoleSite } from "./console/console-site.ts";
import { confirmationRoutes } from "./confirmations/routes.ts";
import { contextRoutes } from "./context/routes.ts";
import { conversationRoutes } from "./sessions/conversation-routes.ts";
import { credentialRoutes } from "./credentials/routes.ts";
import { decisionRoutes } from "./decisions/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { documentationSite } from "./documentation/documentation-site.ts";
import { fileRoutes } from "./files/routes.ts";
import { healthRoutes } from "./operator/health-routes.ts";
import { hookRoutes } from "./hooks/routes.ts";
import { inboundEndpointRoutes } from "./inbound/endpoint-routes.ts";
import { inboundRoutes } from "./inbound/routes.ts";
import { limitRoutes } from "./quotas/routes.ts";
import { consolidationRoutes } from "./memory/consolidation-routes.ts";
import { memoryRoutes } from "./memory/memory-routes.ts";
import { sessionMemoryRoutes } from "./memory/session-routes.ts";
import { memoryStoreRoutes } from "./memory/store-routes.ts";
import { mcpServerRoutes } from "./mcp/routes.ts";
import { connectionRoutes } from "./mcp/connection-routes.ts";
import { mcpToolRoutes } from "./mcp/tool-routes.ts";
import { messageRoutes } from "./sessions/message-routes.ts";
import { openApiRoutes } from "./documentation/openapi-routes.ts";
import { operatorRoutes } from "./operator/routes.ts";
import { permissionRuleRoutes } from "./permission/routes.ts";
import { permissionSimulationRoutes } from "./decisions/simulation-routes.ts";
import { toolCallRoutes } from "./tools/routes.ts";
import { replayRoutes } from "./replay/routes.ts";
import { replyRoutes } from "./replies/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { endUserRoutes } from "./end-users/routes.ts";
import { roomAgUiRoutes } from "./rooms/ag-ui-routes.ts";
import { roomConversationRoutes } from "./rooms/conversation-routes.ts";
import { roomParticipantRoutes } from "./rooms/participant-routes.ts";
import { refuseRoomCopy } from "./rooms/refuse-copy.ts";
import { roomRoutes } from "./rooms/room-routes.ts";
import { roomStateRoutes } from "./rooms/state-routes.ts";
import { roomTicketRoutes } from "./rooms/ticket-routes.ts";
import { roomTokenRoutes } from "./rooms/token-routes.ts";
import { roomVoiceRoutes } from "./rooms/voice-routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { mcpResourceRoutes } from "./mcp/resource-routes.ts";
import { backgroundRoutes } from "./background/routes.ts";
import { toolGroupRoutes } from "./tool-groups/routes.ts";
import { planRoutes } from "./plans/routes.ts";
import { sharedStateRoutes } from "./shared-state/routes.ts";
import { skillRoutes } from "./skills/routes.ts";
import { streamTicketRoutes } from "./events/stream-ticket-routes.ts";
import { tenantDecisionRoutes } from "./decisions/tenant-routes.ts";
import { tenantRoutes } from "./tenants/routes.ts";
import { agentMcpRoutes } from "./agent-mcp/routes.ts";
import { modelRoutes } from "./models/routes.ts";
import { operatorMemberRoutes } from "./members/operator-routes.ts";
import { memberRoutes } from "./members/routes.ts";
import { operatorSignInProviderRoutes } from "./sign-in-providers/operator-routes.ts";
import { signInProviderRoutes } from "./sign-in-providers/routes.ts";
import { tokenIssuerRoutes } from "./token-issuers/routes.ts";
import { triggerPauseRoutes } from "./triggers/pause-routes.ts";
import { triggerWebhookRoutes } from "./triggers/webhook-routes.ts";
import { triggerRunRoutes } from "./triggers/run-routes.ts";
import { triggerRoutes } from "./triggers/trigger-routes.ts";
import { usageRoutes } from "./usage/routes.ts";
import { voiceRoutes } from "./voice/routes.ts";
import { webhookDeliveryRoutes } from "./webhooks/delivery-routes.ts";
import { webhookEndpointRoutes } from "./webhooks/endpoint-routes.ts";

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
  ...memoryStoreRoutes,
  ...memoryRoutes,
  ...consolidationRoutes,
  ...sessionMemoryRoutes,
  ...permissionSimulationRoutes,
  ...replayRoutes,
  ...roomRoutes,
  ...roomParticipantRoutes,
  ...roomConversationRoutes,
  ...roomTokenRoutes,
  ...roomVoiceRoutes,
  ...roomTicketRoutes,
  ...roomAgUiRoutes,
  ...roomStateRoutes,
  ...toolCallRoutes,
  ...searchRoutes,
  ...sessionRoutes,
  ...replyRoutes,
  ...eventRoutes,
  ...messageRoutes,
  ...conversationRoutes,
  ...contextRoutes,
  ...hookRoutes,
  ...planRoutes,
  ...toolGroupRoutes,
  ...backgroundRoutes,
  ...mcpResourceRoutes,
  ...sharedStateRoutes,
  ...agUiRoutes,
  ...agentMcpRoutes,
  ...a2aRoutes,
  ...memberRoutes,
  ...operatorMemberRoutes,
  ...signInProviderRoutes,
  ...operatorSignInProviderRoutes,
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
  ...endUserRoutes,
  ...modelRoutes,
  ...triggerRoutes,
  ...triggerPauseRoutes,
  ...triggerRunRoutes,
  ...triggerWebhookRoutes,
  ...usageRoutes,
  ...voiceRoutes,
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
app.use(A2A_KEYS_PATH, openCors, apiHeaders);

for (const route of ROUTES) {
  app.on(
    route.method,
    toHonoPath(route.path),
    remember(route),
    announceLimits,
    challenge,
    authenticate,
    checkPath,
    refuseUpgrade,
    idempotency,
    HANDLERS[route.name],
  );
}
app.post("/v1/rooms/:room_id/:copy{fork|replays?}", refuseRoomCopy);
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

/** A parameter with an act behind it, `{task}:cancel`, is one that ends with the act: `pathId` takes it off. */
function toHonoPath(path: string): string {
  return path.replace(/\{(\w+)\}(:\w+)/g, ":$1{[^/]+$2}").replace(/\{(\w+)\}/g, ":$1");
}

function remember(route: Route): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    context.set("route", route);
    await next();
  };
}

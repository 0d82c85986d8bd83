import type {
  McpServer,
  McpServerDefinition,
  McpServerUpdate,
} from "../../protocol/mcp/contract.ts";
import {
  McpServerCreateSchema,
  McpServerDefinitionSchema,
  McpServerUpdateSchema,
} from "../../protocol/mcp/contract.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { connectionStorage } from "../../storage/mcp/connection-storage.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { tellOfRemoval } from "./tell-sessions.ts";
import { inBackground } from "../in-background.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { checkMcpServer } from "./check-mcp-servers.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { checkFields } from "../requests/check-fields.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { readListQuery } from "../requests/read-query.ts";

const createMcpServer: RouteHandler = async (context) => {
  const definition = await readBody(context, McpServerCreateSchema);
  const { credentials, mcpServers } = storageOf(context);
  await checkMcpServer(definition, credentials, context.env);
  const created_at = nowTimestamp();
  const server: McpServer = {
    id: newId("mcp"),
    ...definition,
    version: 1,
    created_at,
    updated_at: created_at,
  };
  const location = `/v1/mcp-servers/${server.id}`;
  const isNew = await mcpServers.insert(
    server,
    answerStatement(context, { status: 201, location, body: server }),
    auditFor(context, { action: "mcp_server.created", target: server.id, after: server }),
  );
  if (!isNew) throw nameTaken();
  return context.json(server, 201, { Location: location });
};

const listMcpServers: RouteHandler = async (context) =>
  context.json(await storageOf(context).mcpServers.list(readListQuery(context, "mcp")));

const readMcpServer: RouteHandler = async (context) => context.json(await findServer(context));

/** A request without an actual change makes no version: what is known of the server stays known. */
const updateMcpServer: RouteHandler = async (context) => {
  const changes = await readBody(context, McpServerUpdateSchema);
  const current = await findServer(context);
  const before = definitionOf(current);
  const definition = changed(before, changes);
  if (JSON.stringify(definition) === JSON.stringify(before)) return context.json(current);
  const { credentials, mcpServers } = storageOf(context);
  await checkMcpServer(definition, credentials, context.env);
  const audit = auditFor(context, {
    action: "mcp_server.updated",
    target: current.id,
    before: current,
    after: { ...current, ...definition, version: current.version + 1 },
  });
  const server = await mcpServers.update(current, definition, nowTimestamp(), audit);
  if (server === "taken") throw nameTaken();
  if (!server) {
    throw new HttpError("conflict", "another change of the server came first; read it again");
  }
  return context.json(server);
};

const deleteMcpServer: RouteHandler = async (context) => {
  const current = await findServer(context);
  const audit = auditFor(context, {
    action: "mcp_server.deleted",
    target: current.id,
    before: current,
  });
  const tenantId = tenantOf(context);
  const connections = connectionStorage(openDatabase(context.env.DB), tenantId);
  const waiting = await connections.waitingAt(current.id);
  const isRemoved = await storageOf(context).mcpServers.remove(current.id, audit);
  if (!isRemoved) throw notFound("MCP server");
  const told = tellOfRemoval(context.env, tenantId, waiting);
  inBackground("telling of an MCP server that was removed", told);
  return context.body(null, 204);
};

/** Null takes a member away. @throws HttpError 400 when the whole is not allowed. */
function changed(before: McpServerDefinition, changes: McpServerUpdate): McpServerDefinition {
  const merged = Object.entries({ ...before, ...changes }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const checked = checkFields(McpServerDefinitionSchema, Object.fromEntries(merged));
  if (checked.ok) return checked.value;
  const detail = "the server would not be an allowed one; `errors` says why";
  throw new HttpError("validation_failed", detail, { errors: checked.errors });
}

function definitionOf({
  id: _id,
  version: _version,
  created_at: _created,
  updated_at: _updated,
  ...definition
}: McpServer): McpServerDefinition {
  return definition;
}

async function findServer(context: AppContext): Promise<McpServer> {
  const server = await storageOf(context).mcpServers.read(pathId(context, "mcp_server_id"));
  if (!server) throw notFound("MCP server");
  return server;
}

function nameTaken(): HttpError {
  const detail = "another MCP server has this name, which is a part of its tools' names";
  return fieldError("conflict", "#/name", detail);
}

function storageOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context));
}

export const mcpServerRoutes = {
  createMcpServer,
  listMcpServers,
  readMcpServer,
  updateMcpServer,
  deleteMcpServer,
};

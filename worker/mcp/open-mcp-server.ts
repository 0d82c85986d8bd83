// One MCP server for one request: without a session of the platform, so nothing is kept of it but its catalogue.
import { countListed, readCatalogue } from "../../agent/mcp/read-catalogue.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { createSecretSource } from "../../outgoing/secret-source.ts";
import type { McpCatalogueTool, McpServer } from "../../protocol/api/mcp/mcp-servers.ts";
import { MCP_OPEN_MS } from "../../protocol/limits/abilities/mcp.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { catalogueOwner } from "../../storage/mcp/catalogue-owner.ts";
import { noteMcpServer, type McpNews } from "../../storage/mcp/note-mcp-server.ts";
import { readMcpServers } from "../../storage/mcp/read-mcp-servers.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { CallDeadline } from "../../tools/mcp/call-deadline.ts";
import { catalogueExpiry } from "../../tools/mcp/catalogue-expiry.ts";
import { mcpEndpoint } from "../../tools/mcp/mcp-endpoint.ts";
import { McpLink } from "../../tools/mcp/mcp-link.ts";
import type { McpFailure } from "../../tools/mcp/mcp-outcome.ts";
import type { SignInBegun } from "../../tools/mcp/oauth/begin-sign-in.ts";
import type { AppContext } from "../app-env.ts";
import { inBackground } from "../in-background.ts";
import { tenantOf } from "../principal.ts";
import { openGrant } from "./open-grant.ts";

export interface KeptCatalogue {
  readonly dialect: McpDialect;
  readonly tools: readonly McpCatalogueTool[];
  readonly readAtMs: number;
  readonly expiresAtMs: number;
}

export interface OpenedMcpServer {
  readonly server: McpServer;
  /** The catalogue that still holds; null when there is none. */
  readonly kept: KeptCatalogue | null;
  /** Null when its credentials may not be used: `setup` says why. */
  readonly link: McpLink | null;
  readonly setup: McpFailure | null;
  /** Begins a sign-in; null when the request failed for another reason than that one is missing. Never rejects. */
  readonly beginSignIn: (failed: McpFailure) => Promise<SignInBegun | null>;
  /** Asks the server for its tools, and keeps them. */
  list(stop: StopSignal): Promise<ListedMcpServer>;
}

type ListedMcpServer =
  | { readonly ok: true; readonly catalogue: KeptCatalogue }
  | { readonly ok: false; readonly failure: McpFailure };

/**
 * Null when the tenant has no such server. @throws when the master key does not fit.
 * @param kept A session of the server that goes on, for the version of its settings that it was opened with.
 */
export async function openMcpServer(
  context: AppContext,
  serverId: string,
  endUserId: string | null,
  kept: { readonly version: number; readonly id: string } | null = null,
): Promise<OpenedMcpServer | null> {
  const { env } = context;
  const tenant_id = tenantOf(context);
  const read = await readMcpServers(openDatabase(env.DB), tenant_id, [serverId], endUserId);
  const known = read.servers.get(serverId);
  if (!known) return null;
  const { server, catalogue } = known;
  const opened = await openPinnedCredentials({ ...read.sealed, tenant_id }, masterKeyOf(env), () =>
    readTenantKey(env.DB, tenant_id),
  );
  const { ENVIRONMENT: environment, LOOPBACK_PORTS: loopbackPorts } = env;
  const trace = context.get("trace");
  const outgoing = createOutgoing({ environment, loopbackPorts, fetch, trace });
  const secrets = createSecretSource(opened);
  const granted = openGrant(context, server, { endUserId, outgoing, secrets });
  const grant = granted.ok ? granted.grant : null;
  const made = granted.ok ? mcpEndpoint(server, { outgoing, secrets }, grant) : granted;
  const { name } = server;
  let dialect = catalogue?.dialect ?? null;
  const keptId = kept?.version === server.version ? kept.id : null;
  let sessionId = keptId;
  const note = (news: McpNews): void => {
    const { id: server_id, version } = server;
    const end_user_id = catalogueOwner(server, endUserId);
    const asked = { tenant_id, server_id, version, end_user_id };
    inBackground("keeping the catalogue of an MCP server", noteMcpServer(env.DB, asked, news));
  };
  const link = made.ok
    ? new McpLink(
        // A session that is opened here serves this request alone; one that was given is not ended.
        { name, stateful: keptId !== null, endpoint: made.endpoint },
        {
          get dialect() {
            return dialect;
          },
          get sessionId() {
            return sessionId;
          },
          noteDialect(found) {
            if (found?.noStream && !dialect?.noStream) note({ type: "spoken", dialect: found });
            dialect = found;
          },
          noteSession(given) {
            sessionId = given;
          },
          noteListChanged: () => note({ type: "changed" }),
        },
      )
    : null;
  const setup: McpFailure | null = made.ok
    ? null
    : { kind: "setup", reason: `The MCP server ${name} cannot be asked: ${made.reason}.` };
  const holds = catalogue?.tools && catalogue.dialect && catalogue.expires_at > Date.now();
  return {
    server,
    kept: holds
      ? {
          dialect: catalogue.dialect,
          tools: catalogue.tools,
          readAtMs: catalogue.read_at,
          expiresAtMs: catalogue.expires_at,
        }
      : null,
    link,
    setup,
    beginSignIn: async ({ needs_sign_in }) =>
      needs_sign_in && grant?.isOfPerson ? grant.begin(null, NEVER) : null,
    async list(stop) {
      if (!link || setup) return { ok: false, failure: setup ?? NO_LINK };
      const idleMs = Math.min(server.timeout_ms, MCP_OPEN_MS);
      const deadline = new CallDeadline({ idleMs, totalMs: MCP_OPEN_MS }, stop);
      const listing = await link.list(deadline);
      deadline.release();
      if (!listing.ok) return listing;
      const found = listing.value;
      const readAtMs = Date.now();
      const tools = readCatalogue(found.tools, found.dialect.era);
      const beyond = countListed(found.tools) - tools.length;
      const fresh: KeptCatalogue = {
        dialect: found.dialect,
        tools,
        readAtMs,
        expiresAtMs: catalogueExpiry(readAtMs, found.ttlMs),
      };
      note({ type: "read", ...fresh, rest: { beyond, has_more: found.hasMore } });
      return { ok: true, catalogue: fresh };
    },
  };
}

/** A Worker that is not needed any more is ended with its request. */
const NEVER = new AbortController().signal;
const NO_LINK: McpFailure = { kind: "setup", reason: "The MCP server cannot be asked." };

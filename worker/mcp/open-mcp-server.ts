// One MCP server for one request: without a session of the platform, so nothing is kept of it but its catalogue.
import type { StopSignal } from "../../agent/ports.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { createSecretSource } from "../../outgoing/secret-source.ts";
import type { McpServer } from "../../protocol/mcp/contract.ts";
import { MAX_MCP_LISTING_BYTES, MCP_FAILURE_MS } from "../../protocol/mcp/limits.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { catalogueOwner } from "../../storage/mcp/catalogue-owner.ts";
import { noteMcpServer, type McpServerNote } from "../../storage/mcp/note-mcp-server.ts";
import { readMcpServers } from "../../storage/mcp/read-mcp-servers.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { mcpEndpoint } from "../../tools/mcp/mcp-endpoint.ts";
import { McpLink } from "../../tools/mcp/mcp-link.ts";
import type { McpFailure } from "../../tools/mcp/mcp-outcome.ts";
import type { SignInBegun } from "../../tools/mcp/oauth/begin-sign-in.ts";
import {
  readServerCatalogue,
  rememberedFailure,
  type ServerCatalogue,
} from "../../tools/mcp/read-server-catalogue.ts";
import type { AppContext } from "../app-env.ts";
import type { CallLease } from "../auth/call-lease.ts";
import { inBackground } from "../in-background.ts";
import { tenantOf } from "../principal.ts";
import { openRequestGrant } from "./open-request-grant.ts";

export interface OpenedMcpServer {
  readonly server: McpServer;
  /** The catalogue that still holds; null when there is none. */
  readonly kept: ServerCatalogue | null;
  /** Why its catalogue could not be read a moment ago: it is not asked again at once. Null when nothing is known of that. */
  readonly failed: McpFailure | null;
  /** Null when its credentials may not be used: `setup` says why. */
  readonly link: McpLink | null;
  readonly setup: McpFailure | null;
  /** Begins a sign-in; null when the request failed for another reason than that one is missing. Never rejects. */
  readonly beginSignIn: (failed: McpFailure) => Promise<SignInBegun | null>;
  /** Asks the server for its tools, and keeps them, or that they could not be read. Under the lease. */
  list(stop: StopSignal): Promise<ListedMcpServer>;
}

type ListedMcpServer =
  | { readonly ok: true; readonly catalogue: ServerCatalogue }
  | { readonly ok: false; readonly failure: McpFailure };

interface OpenedFor {
  /** Held by whoever asks the server. */
  readonly lease: CallLease;
  readonly endUserId: string | null;
  /** A session of the server that continues, for the version of its settings that it was opened with. */
  readonly session?: { readonly version: number; readonly id: string } | null;
  /** Bytes of one answer at most, where that is not the server's own setting. */
  readonly maxBytes?: number;
}

/** Null when the tenant has no such server. Asks it nothing. @throws when the master key does not fit. */
export async function openMcpServer(
  context: AppContext,
  serverId: string,
  { lease, endUserId, session = null, maxBytes }: OpenedFor,
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
  const trace = context.get("trace");
  const outgoing = lease.throttle(
    createOutgoing({ ...egressRules(env), fetch, trace }),
    Math.max(maxBytes ?? server.max_bytes, MAX_MCP_LISTING_BYTES),
  );
  const secrets = createSecretSource(opened);
  const granted = openRequestGrant(context, server, { endUserId, outgoing, secrets });
  const grant = granted.ok ? granted.grant : null;
  const made = granted.ok ? mcpEndpoint(server, { outgoing, secrets }, grant) : granted;
  const { name } = server;
  let dialect = catalogue?.dialect ?? null;
  const keptId = session?.version === server.version ? session.id : null;
  let sessionId = keptId;
  const note = (update: McpServerNote): Promise<void> => {
    const { id: server_id, version } = server;
    const end_user_id = catalogueOwner(server, endUserId);
    const asked = { tenant_id, server_id, version, end_user_id };
    const noted = noteMcpServer(env.DB, asked, update);
    inBackground("keeping the catalogue of an MCP server", noted);
    return noted.catch(() => undefined);
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
            if (found?.noStream && !dialect?.noStream)
              void note({ type: "spoken", dialect: found });
            dialect = found;
          },
          noteSession(given) {
            sessionId = given;
          },
          noteListChanged: () => void note({ type: "changed" }),
        },
      )
    : null;
  const setup: McpFailure | null = made.ok
    ? null
    : { kind: "setup", reason: `The MCP server ${name} cannot be asked: ${made.reason}.` };
  const nowMs = Date.now();
  const holds = catalogue?.tools && catalogue.dialect && catalogue.expires_at > nowMs;
  const avoidedMs = (catalogue?.avoid_until ?? 0) - nowMs;
  // A clock that was set back must not make the time longer.
  const isAvoided = avoidedMs > 0 && avoidedMs <= MCP_FAILURE_MS;
  return {
    server,
    kept: holds
      ? {
          dialect: catalogue.dialect,
          tools: catalogue.tools,
          rest: catalogue.rest ?? { beyond: 0, has_more: false },
          readAtMs: catalogue.read_at,
          expiresAtMs: catalogue.expires_at,
        }
      : null,
    failed: isAvoided && catalogue?.failure ? rememberedFailure(catalogue.failure) : null,
    link,
    setup,
    beginSignIn: async ({ needs_sign_in }) =>
      needs_sign_in && grant?.isOfPerson ? grant.begin(null, NEVER) : null,
    async list(stop) {
      if (!link || setup) return { ok: false, failure: setup ?? NO_LINK };
      const read = await readServerCatalogue(link, {
        timeoutMs: server.timeout_ms,
        isOfPerson: grant?.isOfPerson === true,
        stop,
      });
      if (read.ok) {
        void note({ type: "read", ...read.catalogue });
        return read;
      }
      const { failure, avoidUntilMs } = read;
      // Waited for: a next request would ask anew.
      if (avoidUntilMs !== null) await note({ type: "failed", failure, avoidUntilMs });
      return { ok: false, failure };
    },
  };
}

/** A Worker that is not needed any more is ended with its request. */
const NEVER = new AbortController().signal;
const NO_LINK: McpFailure = { kind: "setup", reason: "The MCP server cannot be asked." };

// The tools that a server of the session's agent lists, has listed a short time ago, or could not be read for.
import type { CatalogueRest } from "../../agent/mcp/select-tools.ts";
import type { StopSignal } from "../../agent/ports.ts";
import type { McpCatalogueTool } from "../../protocol/mcp/contract.ts";
import { MCP_FAILURE_MS } from "../../protocol/mcp/limits.ts";
import { CREDENTIAL_LOOKUP_MS } from "../../protocol/credentials/limits.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { McpServerNote } from "../../storage/mcp/note-mcp-server.ts";
import type { KnownMcpServer } from "../../storage/mcp/read-mcp-servers.ts";
import type { McpLinkFound } from "../../tools/mcp/mcp-servers-port.ts";
import { readServerCatalogue, rememberedFailure } from "../../tools/mcp/read-server-catalogue.ts";

export type Listed =
  | {
      readonly tools: readonly McpCatalogueTool[];
      readonly rest: CatalogueRest;
      readonly dialect: McpDialect;
    }
  /** As a sentence. */
  | { readonly problem: string; readonly needsSignIn?: boolean };

interface ListedServer {
  readonly known: KnownMcpServer;
  readonly linked: Extract<McpLinkFound, { ok: true }>;
  /** Asks the server anew, whatever it answered a moment ago. */
  readonly isAnew?: boolean;
  /** Contract: never rejects. */
  readonly note: (update: McpServerNote) => Promise<void>;
}

/** Contract: never rejects, and ends soon after `stop`. */
export async function listServer(
  { known: { server, catalogue }, linked, isAnew = false, note }: ListedServer,
  stop: StopSignal,
): Promise<Listed> {
  const nowMs = Date.now();
  if (catalogue?.tools && catalogue.dialect && catalogue.expires_at > nowMs) {
    const { tools, dialect, rest } = catalogue;
    return { tools, dialect, rest: rest ?? { beyond: 0, has_more: false } };
  }
  const avoidedMs = (catalogue?.avoid_until ?? 0) - nowMs;
  // A clock that was set back must not make the time longer.
  if (catalogue && avoidedMs > 0 && avoidedMs <= MCP_FAILURE_MS && !isAnew) {
    const reason = `The MCP server ${server.name} could not be read.`;
    const failure = catalogue.failure ?? { kind: "unknown", reason };
    return { problem: rememberedFailure(failure).reason };
  }
  const { link, timeoutMs, grant } = linked;
  const isOfPerson = grant?.isOfPerson === true;
  const read = await readServerCatalogue(link, { timeoutMs, isOfPerson, stop });
  if (!read.ok) {
    const { failure, avoidUntilMs } = read;
    if (avoidUntilMs !== null) {
      // The next reply reads it: one that begins at once would ask anew.
      const noted = note({ type: "failed", failure, avoidUntilMs });
      await withinDeadline(noted, CREDENTIAL_LOOKUP_MS).catch(() => undefined);
    }
    return { problem: failure.reason, needsSignIn: failure.needs_sign_in === true && isOfPerson };
  }
  void note({ type: "read", ...read.catalogue });
  return read.catalogue;
}

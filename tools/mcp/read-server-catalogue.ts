// Asks a server for its catalogue, and makes of it what is kept.
import { countListed, readCatalogue } from "../../agent/mcp/read-catalogue.ts";
import type { CatalogueRest } from "../../agent/mcp/select-tools.ts";
import type { StopSignal } from "../../agent/ports.ts";
import type { McpCatalogueTool } from "../../protocol/mcp/contract.ts";
import { MAX_MCP_TOOLS, MCP_FAILURE_MS, MCP_OPEN_MS } from "../../protocol/mcp/limits.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import { CallDeadline } from "./call-deadline.ts";
import { catalogueExpiry } from "./catalogue-expiry.ts";
import type { McpLink } from "./mcp-link.ts";
import type { McpFailure } from "./mcp-outcome.ts";

export interface ServerCatalogue {
  readonly dialect: McpDialect;
  readonly tools: readonly McpCatalogueTool[];
  readonly rest: CatalogueRest;
  readonly readAtMs: number;
  readonly expiresAtMs: number;
}

type ServerCatalogueRead =
  | { readonly ok: true; readonly catalogue: ServerCatalogue }
  | {
      readonly ok: false;
      readonly failure: McpFailure;
      /**
       * Until when the server is not asked again, in Unix milliseconds. Null where its failure says nothing of it: the caller
       * has stopped, nothing was sent to its address, or a sign-in is missing, which its connection has already.
       */
      readonly avoidUntilMs: number | null;
    };

/** Contract: never rejects. */
export async function readServerCatalogue(
  link: McpLink,
  {
    timeoutMs,
    isOfPerson,
    stop,
  }: {
    readonly timeoutMs: number;
    /** Whether a person may sign in at the server. */
    readonly isOfPerson: boolean;
    readonly stop: StopSignal;
  },
): Promise<ServerCatalogueRead> {
  const idleMs = Math.min(timeoutMs, MCP_OPEN_MS);
  const deadline = new CallDeadline({ idleMs, totalMs: MCP_OPEN_MS }, stop);
  const listing = await link.list(deadline);
  deadline.release();
  if (!listing.ok) {
    const { failure } = listing;
    const isOfSignIn = failure.needs_sign_in === true && isOfPerson;
    const isUnasked = stop.aborted || isOfSignIn || failure.kind === "egress_refused";
    return { ok: false, failure, avoidUntilMs: isUnasked ? null : Date.now() + MCP_FAILURE_MS };
  }
  const { dialect, ttlMs, hasMore, tools: listed, cut } = listing.value;
  const tools = readCatalogue(listed, dialect.era);
  const beyond = countListed(listed) - tools.length;
  // One whose own bytes have no room, though those of the list had.
  const left = beyond > 0 && tools.length < MAX_MCP_TOOLS ? "too_large" : null;
  const reason = cut ?? left;
  const readAtMs = Date.now();
  return {
    ok: true,
    catalogue: {
      dialect,
      tools,
      rest: { beyond, has_more: hasMore, ...(reason && { cut: reason }) },
      readAtMs,
      expiresAtMs: catalogueExpiry(readAtMs, ttlMs),
    },
  };
}

/** The failure of a server that is not asked, because it could not be read before. */
export function rememberedFailure(failure: McpFailure): McpFailure {
  const reason = `${failure.reason} That was a moment ago, and it was not asked again.`;
  return { ...failure, reason };
}

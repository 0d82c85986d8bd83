// The pages of a server's catalogue, read within one bound of bytes and of tools. A server that lists more is read as far as
// the bounds reach: what was whole before them is used, and why the rest is missing is part of the answer.
import type { CatalogueCut } from "../../protocol/mcp/contract.ts";
import {
  MAX_MCP_LIST_PAGES,
  MAX_MCP_LISTING_BYTES,
  MAX_MCP_TOOLS,
} from "../../protocol/mcp/limits.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import { ByteBudget } from "./byte-budget.ts";
import type { McpFailure, McpResultOf } from "./mcp-outcome.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface McpListing {
  readonly tools: readonly unknown[];
  /** For how long the server says that they hold; null when it does not say. */
  readonly ttlMs: number | null;
  /** The reason that the server was read no further; null for a whole catalogue. */
  readonly cut: CatalogueCut | null;
  /** Whether the server lists more than was read. */
  readonly hasMore: boolean;
  readonly dialect: McpDialect;
}

interface ListedServer {
  readonly name: string;
  /** Asks for one page. Contract: never rejects. */
  readonly askPage: (
    params: Fields,
    budget: ByteBudget,
  ) => Promise<McpResultOf<{ readonly result: Fields; readonly dialect: McpDialect }>>;
}

/** Contract: never rejects. */
export async function listCatalogue({
  name,
  askPage,
}: ListedServer): Promise<McpResultOf<McpListing>> {
  const budget = new ByteBudget(MAX_MCP_LISTING_BYTES);
  const tools: unknown[] = [];
  const cursors = new Set<string>();
  let about: Pick<McpListing, "ttlMs" | "dialect"> | null = null;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_MCP_LIST_PAGES; page += 1) {
    const listed = await askPage(cursor === undefined ? {} : { cursor }, budget);
    if (!listed.ok) {
      if (!budget.isExceeded) return listed;
      return about && tools.length > 0
        ? { ok: true, value: { ...about, tools, cut: "too_large", hasMore: true } }
        : fail("too_large", tooLarge(name));
    }
    const { result, dialect } = listed.value;
    // An empty list of Go is null.
    const listing = result["tools"] === null ? [] : result["tools"];
    if (!Array.isArray(listing)) {
      return fail("malformed_answer", `The MCP server ${name} lists no tools.`);
    }
    tools.push(...(listing as readonly unknown[]));
    const ttlMs = typeof result["ttlMs"] === "number" ? result["ttlMs"] : null;
    about = { ttlMs: about ? about.ttlMs : ttlMs, dialect };
    const next = result["nextCursor"];
    const hasMore = typeof next === "string" && next !== "";
    const isFull = tools.length > MAX_MCP_TOOLS || (hasMore && tools.length === MAX_MCP_TOOLS);
    if (!hasMore || isFull) {
      return { ok: true, value: { ...about, tools, cut: isFull ? "too_many" : null, hasMore } };
    }
    // The page that it leads to was read already.
    if (cursors.has(next)) break;
    cursors.add(next);
    cursor = next;
  }
  return about && tools.length > 0
    ? { ok: true, value: { ...about, tools, cut: "endless", hasMore: true } }
    : fail("malformed_answer", `The MCP server ${name} lists its tools without end.`);
}

function tooLarge(name: string): string {
  return `The MCP server ${name} lists more than ${MAX_MCP_LISTING_BYTES} bytes of tools at once, so none of them is used. Split the server into several, or let it list fewer tools, or shorter descriptions and schemas.`;
}

function fail(
  kind: McpFailure["kind"],
  reason: string,
): { readonly ok: false; readonly failure: McpFailure } {
  return { ok: false, failure: { kind, reason } };
}

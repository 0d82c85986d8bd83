// The tools of a server as its row has them: the list, or the list with what it lacks. Rows of before have lists alone.
import type { CatalogueCut, McpCatalogueTool } from "../../protocol/mcp/contract.ts";

/** Tools that a server lists and its catalogue lacks. */
export interface CatalogueRest {
  readonly beyond: number;
  readonly has_more: boolean;
  /** The reason; left out in rows of before, and where nothing is missing. */
  readonly cut?: CatalogueCut;
}

interface StoredCatalogue {
  readonly tools: readonly McpCatalogueTool[];
  readonly rest: CatalogueRest;
}

const NOTHING: CatalogueRest = { beyond: 0, has_more: false };

export function writeCatalogue({
  tools,
  rest = NOTHING,
}: Pick<StoredCatalogue, "tools"> & Partial<StoredCatalogue>): string {
  const isWhole = rest.beyond === 0 && !rest.has_more;
  return JSON.stringify(isWhole ? tools : { tools, rest });
}

export function readStoredCatalogue(text: string): StoredCatalogue {
  const read = JSON.parse(text) as readonly McpCatalogueTool[] | StoredCatalogue;
  return "rest" in read ? read : { tools: read, rest: NOTHING };
}

// Places of a request that many routes have beside their path.
import type { Place } from "./row.ts";

/** A token that stands before everything that any tenant has in this list. */
export function pageToken(start: string): Place {
  return {
    where: "query page",
    id: () => btoa(start).replaceAll("=", ""),
    query: (page) => `page=${page}`,
    refused: 200,
  };
}

export const NEWEST = "z".repeat(26);

/** A filter of a list, which is empty for what another tenant has. */
export function inQuery(name: string, id: Place["id"]): Place {
  return { where: `query ${name}`, id, query: (value) => `${name}=${value}`, refused: 200 };
}

export const tenantInBody: Place = {
  where: "body tenant_id",
  id: ({ ids }) => ids.tenant_id,
  body: (tenant_id) => ({ tenant_id }),
  refused: 404,
};

export const tenantInQuery: Place = {
  where: "query tenant_id",
  id: ({ ids }) => ids.tenant_id,
  query: (id) => `tenant_id=${id}`,
  refused: 404,
};

/** A tool of a definition. */
export const TOOL = { type: "http", name: "t", url: "https://tool.example/" };

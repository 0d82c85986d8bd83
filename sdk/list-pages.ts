import type { Page } from "../protocol/api/common.ts";
import type { RequestOptions } from "./api-request.ts";
import { Paged } from "./paged.ts";
import type { Transport } from "./transport.ts";

export interface ListQuery {
  /** Items of one page: 1 to 100, 20 when left out. */
  readonly limit?: number;
}

/** A list of the API, with its filters. */
export function listPages<Item, Shape extends Page<Item> = Page<Item>>(
  transport: Transport,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> | ListQuery = {},
  options: RequestOptions = {},
): Paged<Item, Shape> {
  return new Paged<Item, Shape>((page) =>
    transport.call<Shape>(
      { method: "GET", path, query: { ...query, page }, ...options },
      { repeat: "always" },
    ),
  );
}

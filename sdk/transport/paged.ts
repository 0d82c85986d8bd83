import type { Page } from "../../protocol/schemas/common.ts";

export interface ListQuery {
  /** Items of one page: 1 to 100, 20 when left out. */
  readonly limit?: number;
}

/**
 * A paginated list, read by page or by item: `for await (const agent of reprise.agents.list())` requests pages as
 * needed. Lazy.
 */
export class Paged<Item, Shape extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  readonly #read: (page: string | undefined) => Promise<Shape>;

  /** @param read Requests the page with this token; the first page without one. */
  constructor(read: (page: string | undefined) => Promise<Shape>) {
    this.#read = read;
  }

  /** One page: the first, or the one with the token `next_page` of an earlier page. */
  page(token?: string | null): Promise<Shape> {
    return this.#read(token ?? undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    let token: string | undefined;
    do {
      const page = await this.#read(token);
      yield* page.data;
      token = page.next_page ?? undefined;
    } while (token !== undefined);
  }
}

import type { Page } from "../../protocol/api/schemas/common.ts";

export interface ListQuery {
  /** Items of one page: 1 to 100, 20 when left out. */
  readonly limit?: number;
}

/**
 * A list, a page at a time or item by item: `for await (const agent of reprise.agents.list())` asks for the next page
 * when it needs one. Nothing is sent before.
 */
export class Paged<Item, Shape extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  readonly #read: (page: string | undefined) => Promise<Shape>;

  /** @param read Asks for the page with this token, for the first one without. */
  constructor(read: (page: string | undefined) => Promise<Shape>) {
    this.#read = read;
  }

  /** One page: the first, or the one that an earlier page named as `next_page`. */
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

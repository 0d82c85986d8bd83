import type { Page } from "../../sdk/index.ts";

export interface ReadRows<Row> {
  readonly rows: readonly Row[];
  /** False when there are more than were read. */
  readonly isWhole: boolean;
}

/** The pages of a list, up to a number of them, for what needs all rows at once. */
export async function readAll<Row>(
  readPage: (page: string | null) => Promise<Page<Row>>,
  maxPages: number,
): Promise<ReadRows<Row>> {
  const rows: Row[] = [];
  let page: string | null = null;
  for (let count = 0; count < maxPages; count += 1) {
    // Each page names the next one.
    const { data, next_page }: Page<Row> = await readPage(page);
    rows.push(...data);
    page = next_page;
    if (page === null) break;
  }
  return { rows, isWhole: page === null };
}

// A month of a shop's usage, for the picture of the page: the platform of the pictures has existed for seconds.
import type { Page } from "playwright-core";

const DAYS = 30;
const DAY_MS = 86_400_000;
const PAGE_ROWS = 100;

/** Share of the tokens, and dollars a million tokens; null for a model without a known price. */
const MODELS = [
  ["gpt-5.1", 0.55, 2.4],
  ["claude-sonnet-4-5", 0.33, 4.1],
  ["house-model", 0.12, null],
] as const;

/** Answers the page's requests for usage; without prices for the days on which the third model was used. */
export async function showMonthOfUsage(page: Page): Promise<void> {
  await page.route("**/v1/usage?**", async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const skip = Number(query.get("page") ?? 0);
    const data = rowsOf(query.get("to") ?? "", query.get("group_by") !== "day");
    const hasMore = skip + PAGE_ROWS < data.length;
    await route.fulfill({
      json: {
        data: data.slice(skip, skip + PAGE_ROWS),
        has_more: hasMore,
        next_page: hasMore ? String(skip + PAGE_ROWS) : null,
      },
    });
  });
}

function rowsOf(lastDay: string, isByModel: boolean): readonly object[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(Date.parse(lastDay) - index * DAY_MS).toISOString().slice(0, 10);
    const isWeekend = index % 7 > 4;
    const tokens = Math.round((900_000 + 260_000 * Math.sin(index * 1.7)) * (isWeekend ? 0.4 : 1));
    // The third model came a week ago.
    const models = MODELS.slice(0, index < 7 ? 3 : 2).map(([model_name, share, price]) =>
      toRow(day, model_name, Math.round(tokens * share), price),
    );
    if (isByModel) return models;
    const price = index < 7 ? null : 3;
    return [
      toRow(
        day,
        null,
        models.reduce((sum, row) => sum + row.total, 0),
        price,
      ),
    ];
  }).flat();
}

function toRow(day: string, model_name: string | null, total: number, price: number | null) {
  const output_tokens = Math.round(total * 0.14);
  const input_tokens = total - output_tokens;
  return {
    total,
    day,
    agent_id: null,
    model_name,
    end_user_id: null,
    replies: Math.round(total / 5_200),
    input_tokens,
    output_tokens,
    cache_input_tokens: Math.round(input_tokens * 0.6),
    cache_creation_input_tokens: 0,
    cost_usd: price === null ? null : (total / 1_000_000) * price,
    audio_input_ms: 0,
    audio_output_ms: 0,
    audio_input_tokens: 0,
    audio_output_tokens: 0,
  };
}

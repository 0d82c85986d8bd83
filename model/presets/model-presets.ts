// Presets of models, as their vendors describe them. Nothing here is from memory: each entry has the address of the
// vendor's page that it was taken from, and the day on which the stored copy of that page was read. What the page does
// not say is null.
import type { ModelPrice } from "../../protocol/models/known-models.ts";

export interface ModelPreset {
  readonly provider: "openai" | "anthropic";
  readonly names: readonly string[];
  /** Tokens that the model can read at once. */
  readonly context_size: number;
  readonly max_output_tokens: number;
  /** The kinds of media, the first part of a media type, that the page says the model cannot take. */
  readonly refuses: readonly ("image" | "audio" | "video")[];
  /** By size of the input, the smallest first. */
  readonly prices: readonly ModelPrice[] | null;
  readonly source: string;
  /** The page of the prices, where it is another. */
  readonly prices_source?: string;
  readonly read: string;
}

const GPT_5_6 = {
  provider: "openai",
  context_size: 1_050_000,
  max_output_tokens: 128_000,
  refuses: ["audio", "video"],
  read: "2026-11-23",
} as const;

const CLAUDE = { provider: "anthropic", refuses: ["audio", "video"], read: "2026-11-23" } as const;

export const MODEL_PRESETS: readonly ModelPreset[] = [
  {
    ...GPT_5_6,
    names: ["gpt-5.6", "gpt-5.6-sol"],
    // The page's prices hold "at least until" a day that is over.
    prices: null,
    source: "https://developers.openai.com/pt-BR/api/docs/models/gpt-5.6-sol",
  },
  {
    ...GPT_5_6,
    names: ["gpt-5.6-terra"],
    prices: [
      { up_to_input_tokens: 272_000, input: 2, output: 12, cached_input: 0.2, cache_write: 2.5 },
      { up_to_input_tokens: null, input: 4, output: 18, cached_input: null, cache_write: null },
    ],
    source: "https://developers.openai.com/de-DE/api/docs/models/gpt-5.6-terra",
  },
  {
    ...GPT_5_6,
    names: ["gpt-5.6-luna"],
    prices: [
      {
        up_to_input_tokens: 272_000,
        input: 0.2,
        output: 1.2,
        cached_input: 0.02,
        cache_write: 0.25,
      },
      { up_to_input_tokens: null, input: 0.4, output: 1.8, cached_input: null, cache_write: null },
    ],
    source: "https://developers.openai.com/api/docs/models/gpt-5.6-luna",
  },
  {
    ...CLAUDE,
    names: ["claude-opus-5"],
    context_size: 1_000_000,
    max_output_tokens: 128_000,
    prices: [
      { up_to_input_tokens: null, input: 5, output: 25, cached_input: 0.5, cache_write: 6.25 },
    ],
    source: "https://platform.claude.com/docs/en/models/opus-5/overview",
  },
  {
    ...CLAUDE,
    names: ["claude-fable-5"],
    context_size: 1_000_000,
    max_output_tokens: 128_000,
    prices: [
      { up_to_input_tokens: null, input: 10, output: 50, cached_input: 1, cache_write: 12.5 },
    ],
    source: "https://platform.claude.com/docs/en/models/fable-5/overview.md",
    prices_source: "https://platform.claude.com/docs/en/about-claude/pricing",
  },
  {
    ...CLAUDE,
    names: ["claude-haiku-5-5"],
    context_size: 1_000_000,
    max_output_tokens: 128_000,
    prices: [
      {
        up_to_input_tokens: 100_000,
        input: 0.1,
        output: 0.5,
        cached_input: null,
        cache_write: 0.125,
      },
      { up_to_input_tokens: null, input: 0.5, output: 2.5, cached_input: null, cache_write: 0.625 },
    ],
    source: "https://platform.claude.com/docs/zh-CN/models/haiku-5-5/overview",
  },
  {
    ...CLAUDE,
    names: ["claude-haiku-4-5-20251001"],
    context_size: 200_000,
    max_output_tokens: 64_000,
    prices: [
      { up_to_input_tokens: null, input: 1, output: 5, cached_input: null, cache_write: null },
    ],
    source: "https://platform.claude.com/docs/zh-CN/models/haiku-4-5/overview.md",
  },
];

// Anthropic.
import { IMAGES, price, rowsOf, type ModelPreset } from "../preset.ts";

const HOSTS = ["api.anthropic.com"];
const row = rowsOf("anthropic", HOSTS, "anthropic");

const CLAUDE = {
  provider: "anthropic",
  hosts: HOSTS,
  refuses: ["audio", "video"],
  read: "2026-11-23",
} as const;

/** Models of 1M tokens, as their own pages or the lineup of another model's page say. */
const CLAUDE_5 = {
  ...CLAUDE,
  context_size: 1_000_000,
  max_output_tokens: 128_000,
  read: "2026-12-01",
} as const;
const LINEUP = "https://platform.claude.com/docs/about-claude/models/whats-new-opus-5";

export const ANTHROPIC: readonly ModelPreset[] = [
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
  { ...CLAUDE_5, names: ["claude-opus-5-5"], prices: [price(4, 20)], source: LINEUP },
  { ...CLAUDE_5, names: ["claude-sonnet-5-5"], prices: [price(2, 10)], source: LINEUP },
  {
    ...CLAUDE_5,
    names: ["claude-sonnet-5"],
    prices: [price(2, 10, 0.2, 2.5)],
    source: "https://platform.claude.com/docs/zh-CN/models/sonnet-5/overview",
  },
  row(["claude-opus-4-8"], 1_000_000, 128_000, IMAGES, [price(5, 25, 0.5, 6.25)]),
  row(["claude-opus-4-7"], 1_000_000, 128_000, IMAGES, [price(5, 25, 0.5, 6.25)]),
  row(["claude-opus-4-6"], 1_000_000, 128_000, IMAGES, [price(5, 25, 0.5, 6.25)]),
  row(["claude-opus-4-5", "claude-opus-4-5-20251101"], 200_000, 64_000, IMAGES, [
    price(5, 25, 0.5, 6.25),
  ]),
  row(["claude-opus-4-1", "claude-opus-4-1-20250805"], 200_000, 32_000, IMAGES, [
    price(15, 75, 1.5, 18.75),
  ]),
  row(["claude-opus-4-0", "claude-opus-4-20250514"], 200_000, 32_000, IMAGES, [
    price(15, 75, 1.5, 18.75),
  ]),
  row(["claude-sonnet-4-6"], 1_000_000, 64_000, IMAGES, [price(3, 15, 0.3, 3.75)]),
  row(["claude-sonnet-4-5", "claude-sonnet-4-5-20250929"], 200_000, 64_000, IMAGES, [
    price(3, 15, 0.3, 3.75),
  ]),
  row(["claude-sonnet-4-0", "claude-sonnet-4-20250514"], 200_000, 64_000, IMAGES, [
    price(3, 15, 0.3, 3.75),
  ]),
  row(["claude-haiku-4-5"], 200_000, 64_000, IMAGES, [price(1, 5, 0.1, 1.25)]),
  row(["claude-3-7-sonnet-20250219"], 200_000, 64_000, IMAGES, [price(3, 15, 0.3, 3.75)]),
];

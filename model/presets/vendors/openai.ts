// OpenAI. A name that ends in -latest moves to other models, so it has no price.
import { IMAGES, price, rowsOf, TEXT, upTo, type ModelPreset } from "../preset.ts";

const HOSTS = ["api.openai.com"];
const row = rowsOf("openai", HOSTS);

const GPT_5_6 = {
  provider: "openai",
  hosts: HOSTS,
  context_size: 1_050_000,
  max_output_tokens: 128_000,
  refuses: ["audio", "video"],
  read: "2026-11-23",
} as const;

export const OPENAI: readonly ModelPreset[] = [
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
  row(["gpt-5.5"], 1_050_000, 128_000, IMAGES, [
    upTo(272_000, price(5, 30, 0.5)),
    price(10, 45, 1),
  ]),
  row(["gpt-5.5-pro"], 1_050_000, 128_000, IMAGES, [upTo(272_000, price(30, 180)), price(60, 270)]),
  row(["gpt-5.4"], 1_050_000, 128_000, IMAGES, [
    upTo(272_000, price(2.5, 15, 0.25)),
    price(5, 22.5, 0.5),
  ]),
  row(["gpt-5.4-mini"], 400_000, 128_000, IMAGES, [price(0.75, 4.5, 0.075)]),
  row(["gpt-5.4-nano"], 400_000, 128_000, IMAGES, [price(0.2, 1.25, 0.02)]),
  row(["gpt-5.4-pro"], 1_050_000, 128_000, IMAGES, [upTo(272_000, price(30, 180)), price(60, 270)]),
  row(["gpt-5.3-codex"], 400_000, 128_000, IMAGES, [price(1.75, 14, 0.175)]),
  row(["gpt-5.3-chat-latest"], 128_000, 16_384, IMAGES, null),
  row(["gpt-5.2"], 400_000, 128_000, IMAGES, [price(1.75, 14, 0.175)]),
  row(["gpt-5.2-codex"], 400_000, 128_000, IMAGES, [price(1.75, 14, 0.175)]),
  row(["gpt-5.2-pro"], 400_000, 128_000, IMAGES, [price(21, 168)]),
  row(["gpt-5.2-chat-latest"], 128_000, 16_384, IMAGES, null),
  row(["gpt-5.1"], 400_000, 128_000, IMAGES, [price(1.25, 10, 0.125)]),
  row(["gpt-5.1-codex"], 400_000, 128_000, IMAGES, [price(1.25, 10, 0.125)]),
  row(["gpt-5.1-codex-max"], 400_000, 128_000, IMAGES, [price(1.25, 10, 0.125)]),
  row(["gpt-5.1-codex-mini"], 400_000, 128_000, IMAGES, [price(0.25, 2, 0.025)]),
  row(["gpt-5.1-chat-latest"], 128_000, 16_384, IMAGES, null),
  row(["gpt-5"], 400_000, 128_000, IMAGES, [price(1.25, 10, 0.125)]),
  row(["gpt-5-mini"], 400_000, 128_000, IMAGES, [price(0.25, 2, 0.025)]),
  row(["gpt-5-nano"], 400_000, 128_000, IMAGES, [price(0.05, 0.4, 0.005)]),
  row(["gpt-5-pro"], 400_000, 272_000, IMAGES, [price(15, 120)]),
  row(["gpt-5-codex"], 400_000, 128_000, IMAGES, [price(1.25, 10, 0.125)]),
  row(["gpt-5-chat-latest"], 400_000, 128_000, IMAGES, null),
  row(["gpt-4.1"], 1_047_576, 32_768, IMAGES, [price(2, 8, 0.5)]),
  row(["gpt-4.1-mini"], 1_047_576, 32_768, IMAGES, [price(0.4, 1.6, 0.1)]),
  row(["gpt-4.1-nano"], 1_047_576, 32_768, IMAGES, [price(0.1, 0.4, 0.025)]),
  row(["gpt-4o"], 128_000, 16_384, IMAGES, [price(2.5, 10, 1.25)]),
  row(["gpt-4o-2024-11-20"], 128_000, 16_384, IMAGES, [price(2.5, 10, 1.25)]),
  row(["gpt-4o-2024-08-06"], 128_000, 16_384, IMAGES, [price(2.5, 10, 1.25)]),
  row(["gpt-4o-2024-05-13"], 128_000, 4_096, IMAGES, [price(5, 15)]),
  row(["gpt-4o-mini"], 128_000, 16_384, IMAGES, [price(0.15, 0.6, 0.075)]),
  row(["gpt-4-turbo"], 128_000, 4_096, IMAGES, [price(10, 30)]),
  row(["gpt-4"], 8_192, 8_192, TEXT, [price(30, 60)]),
  row(["gpt-3.5-turbo"], 16_385, 4_096, TEXT, [price(0.5, 1.5, 0)]),
  row(["o4-mini"], 200_000, 100_000, IMAGES, [price(1.1, 4.4, 0.275)]),
  row(["o3"], 200_000, 100_000, IMAGES, [price(2, 8, 0.5)]),
  row(["o3-pro"], 200_000, 100_000, IMAGES, [price(20, 80)]),
  row(["o3-mini"], 200_000, 100_000, TEXT, [price(1.1, 4.4, 0.55)]),
  row(["o1"], 200_000, 100_000, IMAGES, [price(15, 60, 7.5)]),
  row(["o1-pro"], 200_000, 100_000, IMAGES, [price(150, 600)]),
  row(["o3-deep-research"], 200_000, 100_000, IMAGES, [price(10, 40, 2.5)]),
  row(["o4-mini-deep-research"], 200_000, 100_000, IMAGES, [price(2, 8, 0.5)]),
];

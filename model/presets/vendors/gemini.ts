// Gemini by Google's OpenAI-compatible endpoint. Sound has a price of its own with the flash models, and usage does not tell
// it apart.
import { ALL_MEDIA, price, rowsOf, upTo, type ModelPreset } from "../preset.ts";

const row = rowsOf("google", ["generativelanguage.googleapis.com"]);

export const GEMINI: readonly ModelPreset[] = [
  row(["gemini-3.5-flash"], 1_048_576, 65_536, ALL_MEDIA, null),
  row(["gemini-3.1-pro-preview"], 1_048_576, 65_536, ALL_MEDIA, [
    upTo(200_000, price(2, 12, 0.2)),
    price(4, 18, 0.4),
  ]),
  row(["gemini-3.1-flash-lite"], 1_048_576, 65_536, ALL_MEDIA, null),
  row(["gemini-3-pro-preview"], 1_048_576, 65_536, ALL_MEDIA, [
    upTo(200_000, price(2, 12, 0.2)),
    price(4, 18, 0.4),
  ]),
  row(["gemini-3-flash-preview"], 1_048_576, 65_536, ALL_MEDIA, null),
  row(["gemini-2.5-pro"], 1_048_576, 65_536, ALL_MEDIA, [
    upTo(200_000, price(1.25, 10, 0.125)),
    price(2.5, 15, 0.25),
  ]),
  row(["gemini-2.5-flash"], 1_048_576, 65_536, ALL_MEDIA, null),
  row(["gemini-2.5-flash-lite"], 1_048_576, 65_536, ALL_MEDIA, null),
  row(["gemini-2.0-flash"], 1_048_576, 8_192, ALL_MEDIA, null),
  row(["gemini-2.0-flash-lite"], 1_048_576, 8_192, ALL_MEDIA, null),
  row(["gemini-flash-latest"], 1_048_576, 65_536, ALL_MEDIA, null),
  row(["gemini-flash-lite-latest"], 1_048_576, 65_536, ALL_MEDIA, null),
];

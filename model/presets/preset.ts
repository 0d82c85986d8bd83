// A preset of a model, and the short forms in which the tables of vendors are written.
import type { ModelPrice } from "../../protocol/models/known-models.ts";

/** A kind of media: the first part of a media type. */
type Media = "image" | "audio" | "video";

export interface ModelPreset {
  /** The wire of its vendor. */
  readonly provider: "openai" | "anthropic";
  /** The vendor's own: another endpoint may give a model of the same name less. */
  readonly hosts: readonly string[];
  readonly names: readonly string[];
  /** Tokens that the model can read at once. */
  readonly context_size: number;
  readonly max_output_tokens: number;
  /** The kinds of media that the page says the model cannot take. */
  readonly refuses: readonly Media[];
  /** By size of the input, the smallest first. */
  readonly prices: readonly ModelPrice[] | null;
  readonly source: string;
  /** The page of the prices, where it is another. */
  readonly prices_source?: string;
  /** The day on which a stored copy of the page was read; of a table in a repository the day of its commit. */
  readonly read: string;
}

/** The media that models take, besides text. */
export const TEXT = [] as const satisfies readonly Media[];
export const IMAGES = ["image"] as const satisfies readonly Media[];
export const IMAGES_AND_VIDEO = ["image", "video"] as const satisfies readonly Media[];
export const ALL_MEDIA = ["image", "audio", "video"] as const satisfies readonly Media[];

/** US dollars for a million tokens, whatever the size of the input. */
export function price(
  input: number,
  output: number,
  cached_input: number | null = null,
  cache_write: number | null = null,
): ModelPrice {
  return { up_to_input_tokens: null, input, output, cached_input, cache_write };
}

/** The price of calls whose input has up to so many tokens. */
export function upTo(up_to_input_tokens: number, each: ModelPrice): ModelPrice {
  return { ...each, up_to_input_tokens };
}

/** The same models at the vendor's other hosts, whose list is not in US dollars. */
export function atHosts(
  hosts: readonly string[],
  presets: readonly ModelPreset[],
): readonly ModelPreset[] {
  return presets.map(({ prices_source: _none, ...preset }) => ({ ...preset, hosts, prices: null }));
}

/** The commit of models.dev, a public table of what vendors' pages say, that rows are taken from, and its day. */
const TABLE =
  "https://github.com/anomalyco/models.dev/blob/f3fc692299671838c7c65fd8126bf84d81a2e817";
const TABLE_OF = "2026-07-01";

type Row = (
  names: readonly string[],
  context_size: number,
  max_output_tokens: number,
  takes: readonly Media[],
  prices: readonly ModelPrice[] | null,
) => ModelPreset;

/** Rows of the table of models.dev; the first name is that of the file. @param folder The vendor's. */
export function rowsOf(
  folder: string,
  hosts: readonly string[],
  provider: ModelPreset["provider"] = "openai",
): Row {
  return (names, context_size, max_output_tokens, takes, prices) => ({
    provider,
    hosts,
    names,
    context_size,
    max_output_tokens,
    refuses: ALL_MEDIA.filter((kind) => !takes.includes(kind)),
    prices,
    source: `${TABLE}/providers/${folder}/models/${names[0]}.toml`,
    read: TABLE_OF,
  });
}

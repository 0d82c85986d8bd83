// Facts about vendors' models that the platform has without asking: windows, media, list prices.
import * as z from "zod";
import { pageOf } from "../schemas/common.ts";

const price = z.number().nonnegative();

/** US dollars for a million tokens, of a call whose input has up to so many tokens; null for any other. @public */
export const ModelPriceSchema = z
  .object({
    up_to_input_tokens: z.number().int().positive().nullable(),
    input: price,
    output: price,
    /** Of input that is read from the provider's cache, and of input that is written to it; null when it is not known. */
    cached_input: price.nullable(),
    cache_write: price.nullable(),
  })
  .meta({ id: "ModelPrice", description: "US dollars for a million tokens of a call." });
export interface ModelPrice extends Readonly<z.infer<typeof ModelPriceSchema>> {}

export const KnownModelSchema = z
  .object({
    provider: z.enum(["openai", "anthropic"]),
    /** As in an agent's definition. */
    name: z.string(),
    /** The hosts at which it is this model; one of the same name elsewhere is another. */
    hosts: z.array(z.string()),
    /** Tokens that it can read at once. */
    context_size: z.number().int().positive(),
    max_output_tokens: z.number().int().positive(),
    /** Types that it is shown; others become a note. */
    media_types: z.array(z.string()),
    /** By size of the input, the smallest first; null when they are not known. */
    prices: z.array(ModelPriceSchema).nullable(),
    /** The page that this was taken from: the vendor's, or a public table of vendors' pages. */
    source: z.url(),
    /** The page of the prices; null without any. */
    prices_source: z.url().nullable(),
    /** The day on which a copy of the page was read; of a table the day of its last change. */
    read_on: z.iso.date(),
  })
  .meta({ id: "KnownModel", description: "A model that its vendor serves." });
export type KnownModel = z.infer<typeof KnownModelSchema>;

export const KnownModelPageSchema = pageOf(KnownModelSchema).meta({ id: "KnownModelPage" });

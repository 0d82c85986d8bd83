// The platform's facts about vendors' models.
import { KnownModelPageSchema } from "../../protocol/models/known-models.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import type { Resource } from "../resource.ts";

export const KNOWN_MODELS = {
  operations: {
    listModels: {
      tag: "Agents",
      summary: "List known models",
      description:
        "What the platform knows of vendors' models: windows, media and list prices, each with the page that it was taken from. Agents may name any other model too.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of models.", json: KnownModelPageSchema } },
    },
  },

  fieldDescriptions: {
    "KnownModel.provider": "The provider of an agent's definition.",
    "KnownModel.name": "The name of an agent's definition.",
    "KnownModel.context_size": "Tokens that it can read at once.",
    "KnownModel.max_output_tokens": "Tokens that it can write in one answer.",
    "KnownModel.media_types": "Types of media that it is shown; others become a note.",
    "KnownModel.prices":
      "List prices by size of the input, the smallest first; null when they are not known.",
    "KnownModel.source": "The vendor's page.",
    "KnownModel.prices_source": "The vendor's page of the prices, or null without any.",
    "KnownModel.read_on": "The day on which a copy of the pages was read.",
    "ModelPrice.up_to_input_tokens":
      "The price holds for calls with an input up to so many tokens; null for any greater one.",
    "ModelPrice.input": "Input that is neither read from the provider's cache nor written to it.",
    "ModelPrice.output": "Output, thinking included.",
    "ModelPrice.cached_input": "Input that is read from the cache, or null when it is not known.",
    "ModelPrice.cache_write": "Input that is written to the cache, or null when it is not known.",
  },
} as const satisfies Resource;

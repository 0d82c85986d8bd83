// Routes on known models, and the words of models.
import { KnownModelPageSchema } from "./known-models.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { MODEL_WORDS } from "./words.ts";

const MODEL_ROUTES = [
  {
    name: "listModels",
    method: "GET",
    path: "/v1/models",
    access: "agents:read",
    body: "none",
    tag: "Agents",
    summary: "List known models",
    description:
      "What the platform knows of vendors' models: windows, media and list prices, each with the page that it was taken from. Agents may name any other model too.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of models.", json: KnownModelPageSchema } },
  },
] as const satisfies readonly DocumentedRoute[];

export const MODEL_CONTRACT = {
  routes: MODEL_ROUTES,
  fields: MODEL_WORDS,
} as const satisfies Contract;

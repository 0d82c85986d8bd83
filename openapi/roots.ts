// The schemas that the document begins from: those that routes, events and problems name.
import type * as z from "zod";

import { DocumentedProblemSchema } from "../protocol/replies/documented-problem.ts";
import { EVENT_SCHEMAS } from "./event-schemas.ts";
import { DOCUMENTED_ROUTES } from "./contracts.ts";

const answers = DOCUMENTED_ROUTES.flatMap((route) => Object.values(route.answers));

/** Streams that routes may answer with, each once. */
export const STREAMS = [...new Set(answers.flatMap(({ stream }) => stream ?? []))];

export const REQUEST_ROOTS: readonly z.ZodType[] = DOCUMENTED_ROUTES.flatMap(
  ({ request }) => request?.json ?? [],
);

export const ANSWER_ROOTS: readonly z.ZodType[] = [
  ...answers.flatMap(({ json, replayed, translated }) =>
    [json, replayed, ...(translated ?? [])].filter((schema) => schema !== undefined),
  ),
  ...STREAMS.map(({ event }) => event),
  ...Object.values(EVENT_SCHEMAS),
  DocumentedProblemSchema,
];

/// <reference types="vite/types/import-meta.d.ts" />
// The files of `concepts/`, one for each concept: whatever the suites of all routes know about its own.
import { ROUTES, type RouteName } from "../../protocol/routes.ts";
import type { DocumentedApi } from "../worker/support/documented-api.ts";
import type { KeyedRequests } from "../worker/support/keyed-request.ts";
import type { ConceptRows, Row } from "./row.ts";

interface ConceptFile {
  readonly ROWS: ConceptRows;
  /** Requests to those of its routes that keep an `Idempotency-Key`. */
  readonly KEYED?: KeyedRequests;
  /** Asks its routes for everything that the document promises of them, but for what a failing platform alone can show. */
  readonly askAll: (api: DocumentedApi) => Promise<void>;
}

type SomeRows = Partial<Readonly<Record<RouteName, Row>>>;

const FILES = Object.entries(import.meta.glob<ConceptFile>("./concepts/*.ts", { eager: true }));

/** The row of each route. */
export const ROWS = gatherRows(FILES);

export const KEYED_REQUESTS: KeyedRequests = Object.assign(
  {},
  ...FILES.map(([, { KEYED = {} }]) => KEYED),
);

/** Asks every route for what the document promises. */
export async function askForPromises(api: DocumentedApi): Promise<void> {
  for (const [, { askAll }] of FILES) await askAll(api);
}

/** @throws For routes without a row, and for those with two. */
export function gatherRows(
  files: readonly (readonly [path: string, file: { readonly ROWS: SomeRows }])[],
): Readonly<Record<RouteName, Row>> {
  const rows = new Map(files.flatMap(([, file]) => Object.entries(file.ROWS)));
  const names = files.flatMap(([, file]) => Object.keys(file.ROWS));
  const twice = names.filter((name, place) => names.indexOf(name) !== place);
  if (twice.length > 0) throw new Error(`test/tenancy/concepts/ has two rows of ${twice.join()}`);
  const missing = ROUTES.filter(({ name }) => !rows.has(name)).map(({ name }) => name);
  if (missing.length > 0) {
    throw new Error(
      `test/tenancy/concepts/<concept>.ts has to say how ${missing.join(", ")} may be called: add the file of the concept, or a row to it`,
    );
  }
  return Object.fromEntries(rows) as Record<RouteName, Row>;
}

// Collects the ids, anchors and base URIs of a schema before a value is checked against it.
import { resolveUri } from "./resolve-uri.ts";
import type { StepBudget } from "../step-budget.ts";

const ID_STEPS = 40;

export interface SchemaSurvey {
  /** By URI, and by URI, `#` and an anchor's name. Of two schemas with one name the first counts. */
  readonly byUri: ReadonlyMap<string, unknown>;
  /** The base URI of a schema's references, where it is not `rootUri`. */
  readonly baseUris: ReadonlyMap<object, string>;
  readonly rootUri: string;
  /** Whether `unevaluatedProperties` or `unevaluatedItems` is used anywhere. */
  readonly hasUnevaluated: boolean;
}

export function surveySchema(root: unknown, budget: StepBudget): SchemaSurvey {
  const byUri = new Map<string, unknown>();
  const baseUris = new Map<object, string>();
  const rootUri = resolveUri("", idOf(root) ?? "");
  let hasUnevaluated = false;
  const waiting: { readonly schema: unknown; readonly base: string }[] = [
    { schema: root, base: "" },
  ];
  for (const { schema, base } of waiting) {
    budget.spend(1);
    if (typeof schema !== "object" || schema === null) continue;
    const id = idOf(schema);
    const uri = id === null ? base : resolveUri(base, id);
    if (id !== null) budget.spend(ID_STEPS + id.length + base.length);
    if (uri !== rootUri) baseUris.set(schema, uri);
    if (id !== null || schema === root) name(uri, schema);
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === "$anchor" || keyword === "$dynamicAnchor") {
        name(`${uri}#${String(value)}`, schema);
      }
      if (keyword.startsWith("unevaluated")) hasUnevaluated = true;
      if (typeof value === "object") waiting.push({ schema: value, base: uri });
    }
  }
  return { byUri, baseUris, rootUri, hasUnevaluated };

  function name(uri: string, schema: object): void {
    if (!byUri.has(uri)) byUri.set(uri, schema);
  }
}

/** An id that is only a fragment is an anchor of older drafts, not a URI. */
function idOf(schema: unknown): string | null {
  if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, "$id")) return null;
  const id = (schema as { $id: unknown }).$id;
  return typeof id === "string" && !id.startsWith("#") ? id.replace(/#.*$/s, "") : null;
}

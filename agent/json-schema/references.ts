// Resolves the references within a schema: to a JSON pointer, an anchor, or a schema that has the URI as its id.
import { followPointer } from "./follow-pointer.ts";
import { resolveUri } from "./resolve-uri.ts";
import { shorten } from "./quote.ts";
import type { StepBudget } from "../step-budget.ts";
import type { SchemaSurvey } from "./survey-schema.ts";
import { SchemaUnusable } from "./visit.ts";

const RESOLVE_STEPS = 10;

export class References {
  readonly #survey: SchemaSurvey;
  readonly #budget: StepBudget;
  /** Resolved targets by absolute URI. */
  readonly #found = new Map<string, unknown>();

  constructor(survey: SchemaSurvey, budget: StepBudget) {
    this.#survey = survey;
    this.#budget = budget;
  }

  /**
   * @param from The schema that has the reference.
   * @throws {SchemaUnusable} for a reference to nothing.
   */
  resolve(reference: string, from: object): unknown {
    const base = this.#survey.baseUris.get(from) ?? this.#survey.rootUri;
    this.#budget.spend(RESOLVE_STEPS + (base.length + reference.length) / 4);
    const mark = reference.indexOf("#");
    const uri = resolveUri(base, mark < 0 ? reference : reference.slice(0, mark));
    const fragment = mark < 0 ? "" : reference.slice(mark + 1);
    const whole = `${uri}#${fragment}`;
    if (this.#found.has(whole)) return this.#found.get(whole);
    this.#budget.spend(10 + reference.length);
    const schema = this.#find(uri, fragment);
    if (schema === undefined) {
      throw new SchemaUnusable(`its reference ${shorten(reference)} leads nowhere`);
    }
    this.#found.set(whole, schema);
    return schema;
  }

  #find(uri: string, fragment: string): unknown {
    const { byUri } = this.#survey;
    if (fragment !== "" && !fragment.startsWith("/")) return byUri.get(`${uri}#${fragment}`);
    return followPointer(byUri.get(uri), fragment);
  }
}

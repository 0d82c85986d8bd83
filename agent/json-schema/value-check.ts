// Validates a value against a JSON Schema (2020-12, and what older drafts wrote otherwise), on a budget of steps.
// Results are memoised by schema and value, so that recursive schemas with several paths stay linear.
import { MAX_CHECK_DEPTH } from "../../protocol/schemas/limits.ts";
import { isRegularExpression, readPattern } from "../../protocol/pattern/read-pattern.ts";
import { canonicalJson } from "./canonical-json.ts";
import { keywordsOf, type SchemaKeywords } from "./keywords.ts";
import { asDouble } from "../exact-number.ts";
import { compilePattern } from "./pattern/pattern-program.ts";
import { PatternMachine } from "./pattern/pattern-machine.ts";
import { PatternText } from "./pattern/pattern-text.ts";
import type { Place } from "./place.ts";
import { countedPropertyNames } from "./pattern/property-names.ts";
import { shorten } from "./quote.ts";
import { References } from "./references.ts";
import type { StepBudget } from "../step-budget.ts";
import { surveySchema } from "./survey-schema.ts";
import {
  NOTHING_EVALUATED,
  SchemaUnusable,
  Visit,
  type Checker,
  type Fields,
  type Verdict,
} from "./visit.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

const FITS: Verdict = { problems: [], evaluated: NOTHING_EVALUATED };
/** One visit of a schema for a value, without its keywords. */
const VISIT_STEPS = 8;
const REMEMBER_STEPS = 16;
/** Compiling a schema, when it is first visited. */
const KEYWORDS_STEPS = 60;
/** The runtime parses a pattern before it is compiled here. */
const FIND_STEPS = 16;
const TEXT_STEPS = 8;
const PATTERN_STEPS = 50;
const PATTERN_CHARACTER_STEPS = 10;

export class ValueCheck implements Checker {
  readonly budget: StepBudget;
  readonly isTracking: boolean;
  readonly #references: References;
  readonly #keywords = new Map<Fields, SchemaKeywords>();
  readonly #verdicts = new Map<unknown, Map<object, Verdict>>();
  readonly #machines = new Map<string, PatternMachine>();
  readonly #lists = new Map<unknown, ReadonlySet<string>>();
  readonly #knowsProperty: (name: string) => boolean;
  #lastText: { readonly text: string; readonly characters: PatternText } | null = null;
  #depth = 0;

  constructor(root: unknown, budget: StepBudget) {
    this.budget = budget;
    const survey = surveySchema(root, budget);
    this.isTracking = survey.hasUnevaluated;
    this.#references = new References(survey, budget);
    this.#knowsProperty = countedPropertyNames(budget);
  }

  check(schema: unknown, value: unknown, place: Place): Verdict {
    this.budget.spend(VISIT_STEPS);
    if (schema === true) return FITS;
    const visit = new Visit(this, isJsonObject(schema) ? schema : {}, place);
    if (schema === false) {
      visit.fail(() => "may not be there");
      return visit;
    }
    if (!isJsonObject(schema)) {
      throw new SchemaUnusable("a schema in it is neither an object nor a boolean");
    }
    this.#depth += 1;
    if (this.#depth > MAX_CHECK_DEPTH) {
      throw new SchemaUnusable("it goes on too deep, or asks for itself of the same value");
    }
    const keywords = this.#keywordsOf(visit.schema);
    for (const keyword of keywords.all) keyword(visit, value);
    const typed = asDouble(value);
    if (typeof typed === "string") {
      for (const keyword of keywords.string) keyword(visit, typed);
    } else if (typeof typed === "number") {
      for (const keyword of keywords.number) keyword(visit, typed);
    } else if (Array.isArray(typed)) {
      for (const keyword of keywords.array) keyword(visit, typed as unknown[]);
    } else if (isJsonObject(typed)) {
      for (const keyword of keywords.object) keyword(visit, typed);
    }
    this.#depth -= 1;
    return visit;
  }

  /** Memoised: only references lead to one schema on several paths. */
  checkReferred(reference: string, { schema, place }: Visit, value: unknown): Verdict {
    const target = this.#references.resolve(reference, schema);
    if (typeof value !== "object" || value === null) return this.check(target, value, place);
    this.budget.spend(REMEMBER_STEPS);
    let known = this.#verdicts.get(target);
    if (!known) {
      known = new Map();
      this.#verdicts.set(target, known);
    }
    let verdict = known.get(value);
    if (!verdict) {
      verdict = this.check(target, value, place);
      known.set(value, verdict);
    }
    return verdict;
  }

  finds(pattern: string, text: string): boolean {
    this.budget.spend(FIND_STEPS);
    let machine = this.#machines.get(pattern);
    if (!machine) {
      this.budget.spend(PATTERN_STEPS + PATTERN_CHARACTER_STEPS * pattern.length);
      const read = readPattern(pattern, this.#knowsProperty);
      if (!read.ok) throw new SchemaUnusable(`its pattern ${shorten(pattern)} ${read.problem}`);
      const program = compilePattern(read.tree);
      this.budget.spend(program.operations.length);
      machine = new PatternMachine(program, this.budget);
      this.#machines.set(pattern, machine);
    }
    return machine.finds(this.#charactersOf(text));
  }

  /** Cached: many patterns are matched against one name. */
  #charactersOf(text: string): PatternText {
    if (this.#lastText?.text !== text) {
      this.budget.spend(TEXT_STEPS + text.length / 8);
      this.#lastText = { text, characters: new PatternText(text) };
    }
    return this.#lastText.characters;
  }

  isRegularExpression(text: string): boolean {
    this.budget.spend(PATTERN_STEPS + PATTERN_CHARACTER_STEPS * text.length);
    return isRegularExpression(text, this.#knowsProperty);
  }

  isListed(schema: Fields, keyword: "const" | "enum", value: unknown): boolean {
    const listed = schema[keyword];
    const key = keyword === "const" ? schema : listed;
    let texts = this.#lists.get(key);
    if (!texts) {
      const values = keyword === "const" ? [listed] : (listed as readonly unknown[]);
      texts = new Set(values.map((each) => canonicalJson(each, this.budget)));
      this.#lists.set(key, texts);
    }
    return texts.has(canonicalJson(value, this.budget));
  }

  #keywordsOf(schema: Fields): SchemaKeywords {
    let keywords = this.#keywords.get(schema);
    if (!keywords) {
      this.budget.spend(KEYWORDS_STEPS);
      keywords = keywordsOf(schema);
      this.#keywords.set(schema, keywords);
    }
    return keywords;
  }
}

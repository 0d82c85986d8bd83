// The form of a summary: the schema that a model fills in, and the text that is made of it.
import type { ContextSettings } from "../../protocol/context/contract.ts";
import {
  DEFAULT_SUMMARY_SCHEMA,
  DEFAULT_SUMMARY_TEMPLATE,
} from "../../protocol/context/default-summary.ts";
import { MAX_SUMMARY_CHARACTERS } from "../../protocol/context/limits.ts";
import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { MAX_CHECK_STEPS } from "../../protocol/schemas/limits.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import { readTemplate } from "../../protocol/words/read-template.ts";
import { findMisfit } from "../json-schema/find-misfit.ts";
import { fillDefaults } from "../json/fill-defaults.ts";
import { isTooDeep } from "../json/parse-input.ts";
import { parseRepaired } from "../json/parse-repaired.ts";
import { cutText } from "../json/split-text.ts";
import { StepBudget } from "../step-budget.ts";
import { evenShare } from "./even-share.ts";

type Form = Pick<ContextSettings, "summary_schema" | "summary_template">;
type Fields = Readonly<Record<string, unknown>>;

export type ReadSummary =
  | { readonly ok: true; readonly fields: Fields }
  /** The rest of a sentence that begins with the answer. */
  | { readonly ok: false; readonly problem: string };

export function summarySchemaOf({ summary_schema }: Form): JsonSchema {
  return summary_schema ?? DEFAULT_SUMMARY_SCHEMA;
}

/** Reads an answer: repaired, completed and checked as structured output is. */
export function readSummary(text: string, form: Form): ReadSummary {
  const schema = summarySchemaOf(form);
  const parsed = parseRepaired(jsonWithin(text));
  if (!parsed.ok) return { ok: false, problem: parsed.problem };
  if (isTooDeep(parsed.input)) {
    return { ok: false, problem: `has more than ${MAX_INPUT_DEPTH} levels` };
  }
  const budget = new StepBudget(MAX_CHECK_STEPS);
  const input = fillDefaults(schema, withoutPrototype(parsed.input), budget);
  const misfit = findMisfit(input, schema, { schemaName: "the schema", budget });
  if (misfit) return { ok: false, problem: misfit.text };
  // An empty summary would take the place of everything that was said.
  return isEmpty(input)
    ? { ok: false, problem: "is empty" }
    : { ok: true, fields: input as Fields };
}

/**
 * The summary's text.
 * @param maxCharacters Longer fields are cut, all to the same length, so that none is lost whole. Half of it is theirs,
 *   however long the template is.
 */
export function renderSummary(fields: Fields, form: Form, maxCharacters: number): string {
  const template = readTemplate(form.summary_template ?? defaultTemplate(form));
  const texts = new Map(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
  const parts = (template.ok ? template.parts : []).map((part) =>
    typeof part === "string" ? part : { text: texts.get(part[0] ?? "") ?? "" },
  );
  // A template may have a field more than once.
  const shown = parts.flatMap((part) => (typeof part === "string" ? [] : part.text.length));
  const own = parts.reduce((sum, part) => sum + (typeof part === "string" ? part.length : 0), 0);
  const room = evenShare(shown, Math.max(Math.floor(maxCharacters / 2), maxCharacters - own));
  const text = parts.map((part) =>
    typeof part === "string" ? part : shortenText(part.text, room),
  );
  return shortenText(text.join(""), MAX_SUMMARY_CHARACTERS);
}

/** The beginning of a text that is too long, with an ellipsis in place of the rest. */
export function shortenText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return maxCharacters < 1 ? "" : `${cutText(text, maxCharacters - 1)}…`;
}

/** For a schema of the tenant's without a template: each of its members under its name. */
function defaultTemplate({ summary_schema }: Form): string {
  if (!summary_schema) return DEFAULT_SUMMARY_TEMPLATE;
  const properties = summary_schema["properties"];
  const names =
    typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const escape = (text: string) => text.replaceAll("{", "{{").replaceAll("}", "}}");
  const path = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
  const placed = names.filter((name) => name.trim() === name && name !== "" && !/[{}]/.test(name));
  const lines = placed.map((name) => `# ${escape(name)}\n{${path(name)}}`);
  return `<system-info>This is a summary of the conversation before.\n${lines.join("\n\n")}</system-info>`;
}

/** Models put JSON into a fence, or a sentence before it. */
function jsonWithin(text: string): string {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  return start === -1 ? text : text.slice(start, end > start ? end + 1 : undefined);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether no word, number or truth value is in it. */
function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  if (typeof value !== "object" || value === null) return value === null || value === undefined;
  return Object.values(value).every(isEmpty);
}

/** Copied as a member, it would set the prototype of the copy. */
function withoutPrototype(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== "__proto__"));
}

// Content of an answer, read from the form of a question.
import type { FieldDraft, QuestionDraft, QuestionField } from "./question-fields.ts";

type DraftRead =
  | { readonly ok: true; readonly content: Readonly<Record<string, unknown>> }
  /** A sentence for each field that is not right, by its name. */
  | { readonly ok: false; readonly errors: ReadonlyMap<string, string> };

/** A field that may be left out and is empty is not part of the content. */
export function readDraft(fields: readonly QuestionField[], draft: QuestionDraft): DraftRead {
  const errors = new Map<string, string>();
  const members: (readonly [string, unknown])[] = [];
  for (const field of fields) {
    const typed = draft.get(field.name) ?? "";
    if (typed.length === 0) {
      if (field.isRequired && !mayBeEmpty(field)) errors.set(field.name, missing(field));
      else if (field.isRequired) members.push([field.name, []]);
      continue;
    }
    const problem = findProblem(field, typed);
    if (problem !== null) errors.set(field.name, problem);
    else members.push([field.name, valueOf(field, typed)]);
  }
  if (errors.size > 0) return { ok: false, errors };
  // `fromEntries` defines members: a field named __proto__ stays a member.
  return { ok: true, content: Object.fromEntries(members) };
}

/** To choose none is an answer where any number may be chosen. */
function mayBeEmpty({ kind, least }: QuestionField): boolean {
  return kind === "many" && (least ?? 0) === 0;
}

function missing({ kind, least }: QuestionField): string {
  if (kind === "many") return `Choose at least ${least ?? 1}.`;
  return kind === "one" || kind === "yes-no" ? "Choose one." : "This is needed.";
}

function findProblem(field: QuestionField, typed: FieldDraft): string | null {
  const { kind, least, most } = field;
  if (typeof typed !== "string") {
    if (least !== null && typed.length < least) return `Choose at least ${least}.`;
    return most !== null && typed.length > most ? `Choose ${most} at most.` : null;
  }
  if (kind === "number" || kind === "integer") {
    const value = Number(typed);
    if (typed.trim() === "" || !Number.isFinite(value)) return "This has to be a number.";
    if (kind === "integer" && !Number.isInteger(value)) return "This has to be a whole number.";
    if (least !== null && value < least) return `This has to be ${least} or more.`;
    return most !== null && value > most ? `This has to be ${most} or less.` : null;
  }
  if (kind !== "text") return null;
  // JSON Schema counts code points.
  const { length } = [...typed];
  if (least !== null && length < least) return `At least ${least} characters.`;
  if (most !== null && length > most) return `${most} characters at most; these are ${length}.`;
  return findFormatProblem(field, typed);
}

function findFormatProblem({ format }: QuestionField, typed: string): string | null {
  switch (format) {
    case "email":
      return /^[^\s@]+@[^\s@]+$/.test(typed) ? null : "This has to be an e-mail address.";
    case "uri":
      return URL.canParse(typed)
        ? null
        : "This has to be a whole address, such as https://a.example.";
    case "date":
      return isTime(typed) ? null : "This has to be a date.";
    case "date-time":
      return isTime(typed) ? null : "This has to be a date and a time.";
    default:
      return null;
  }
}

function isTime(text: string): boolean {
  return !Number.isNaN(new Date(text).getTime());
}

function valueOf({ kind, format }: QuestionField, typed: FieldDraft): unknown {
  if (typeof typed !== "string") return typed;
  if (kind === "number" || kind === "integer") return Number(typed);
  if (kind === "yes-no") return typed === "true";
  return format === "date-time" ? new Date(typed).toISOString() : typed;
}

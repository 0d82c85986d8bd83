// The sentence with which a person is asked whether a call may run. Made of the input that the answer's hash covers. The
// template is text of the tenant and the values are text of the model: both are plain text, on one line.
import { MAX_CONFIRMATION_QUESTION_CHARACTERS } from "../../protocol/tools/limits.ts";
import { readTemplate } from "../../protocol/words/read-template.ts";
import { exactText } from "../exact-number.ts";
import type { ToolDeclaration } from "../ports.ts";

/** Characters of one value; the whole input is shown beside the sentence. */
const MAX_VALUE_CHARACTERS = 80;
/** Characters of why a call is dangerous: the names of three tools fit. */
const MAX_DANGER_CHARACTERS = 250;
/** Members that the sentence of a tool without a template lists. */
const MAX_LISTED_MEMBERS = 4;

type Asked = Pick<ToolDeclaration, "name" | "confirmation_message">;

/**
 * The tool's template with the call's values, or a sentence of the platform: without a template, and when the input
 * lacks a member of it, so that no question has a gap.
 * @param danger Why the call is dangerous, which the sentence then says; null when it is not.
 */
export function confirmationQuestion(tool: Asked, input: unknown, danger: string | null): string {
  const sentence = fillTemplate(tool, input) ?? plainQuestion(tool.name, input);
  const cut = shorten(sentence, MAX_CONFIRMATION_QUESTION_CHARACTERS);
  return danger === null ? cut : `${cut} (${shorten(oneLine(danger), MAX_DANGER_CHARACTERS)})`;
}

/** A text of a model or a tenant as a part of a question: plain, and one line. @param limit Characters. */
export function plainLine(text: string, limit: number = MAX_VALUE_CHARACTERS): string {
  return shorten(oneLine(text), limit);
}

function fillTemplate({ confirmation_message }: Asked, input: unknown): string | null {
  const template = confirmation_message === undefined ? null : readTemplate(confirmation_message);
  if (!template?.ok) return null;
  let sentence = "";
  for (const part of template.parts) {
    const text = typeof part === "string" ? part : valueText(memberAt(input, part));
    if (text === null || text === "") return null;
    sentence += text;
  }
  return sentence;
}

/** Such as: Run `refund_order` with order_id "A-1003"? */
function plainQuestion(name: string, input: unknown): string {
  const members = isObject(input) ? Object.entries(input) : [];
  if (members.length === 0) return `Run \`${name}\`?`;
  const listed = members.slice(0, MAX_LISTED_MEMBERS).map(([member, value]) => {
    const text = valueText(value) ?? "…";
    return `${nameText(member)} ${typeof value === "string" ? JSON.stringify(text) : text}`;
  });
  const more = members.length - listed.length;
  return `Run \`${name}\` with ${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}?`;
}

/** A member's name is the model's text too: in quotes unless it is one word, so that it cannot end the sentence. */
function nameText(member: string): string {
  const name = shorten(oneLine(member), MAX_VALUE_CHARACTERS);
  return /^[\p{L}\p{M}\p{N}_.$…-]+$/u.test(name) ? name : JSON.stringify(name);
}

/**
 * Null for nothing, and for a number of so many digits that not all are shown: part of a number would be another one.
 */
function valueText(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === "string") return shorten(oneLine(value), MAX_VALUE_CHARACTERS);
  if (typeof value === "number") return String(value);
  const digits = exactText(value);
  if (digits !== null) return digits.length <= MAX_VALUE_CHARACTERS ? digits : null;
  return shorten(oneLine(JSON.stringify(value)), MAX_VALUE_CHARACTERS);
}

function memberAt(input: unknown, path: readonly string[]): unknown {
  let found = input;
  for (const name of path) {
    const isThere = typeof found === "object" && found !== null && Object.hasOwn(found, name);
    if (!isThere) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without line breaks, control characters and invisible ones, such as those that change the direction of a text. */
function oneLine(text: string): string {
  // More than is shown, so that a long text costs no more.
  const head = text.slice(0, 4 * MAX_CONFIRMATION_QUESTION_CHARACTERS);
  // Fillers of Hangul and the empty pattern of Braille are a letter and a symbol without a shape.
  return head
    .replace(/[\ufe0e\ufe0f]/g, "")
    .replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+/gu, " ")
    .trim();
}

/** By code points, so that no character is cut in two. */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = Array.from(text.slice(0, 2 * limit + 2));
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}

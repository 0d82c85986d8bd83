// The input of a call as a person reads it: titles of the tool's schema with their values, money with its currency.
import { labelOf } from "../../components/schema-form/field-labels.ts";
import { isJsonObject, type JsonObject } from "../../components/schema-form/json-schema.ts";
import { readSchema } from "../../components/schema-form/read-schema.ts";
import { parseDecimal, type Decimal } from "./decimal.ts";
import { parseInput } from "./parse-input.ts";

export interface Fact {
  /** Member of the input. */
  readonly name: string;
  readonly label: string;
  readonly text: string;
  /** Number that a sum may count; null for a text, and for a number that names something. */
  readonly amount: { readonly value: Decimal; readonly currency: string | null } | null;
}

/** Characters of one value; the whole of it is in the JSON. */
const MAX_TEXT_CHARACTERS = 160;
/** Digits that JavaScript may not hold: they would be shown as another number. */
const LONG_NUMBER = /\d{16}/;

/** @returns null for an input that is no JSON object, or has numbers that cannot be shown digit by digit. */
export function factsOf(input: string, schema: unknown): readonly Fact[] | null {
  const value = LONG_NUMBER.test(input) ? undefined : parseInput(input);
  if (!isJsonObject(value)) return null;
  const { properties = {} } = readSchema(schema);
  const titleOf = (name: string) => properties[name]?.title ?? labelOf(name);
  const currency = currencyOf(value, titleOf);
  // In the order of the schema, which its author has chosen; what it does not name follows.
  const names = [...new Set([...Object.keys(properties), ...Object.keys(value)])];
  return names.flatMap((name) => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined || member === null || name === currency?.name) return [];
    return [factOf({ name, label: titleOf(name), member, currency: currency?.code ?? null })];
  });
}

interface Member {
  readonly name: string;
  readonly label: string;
  readonly member: unknown;
  readonly currency: string | null;
}

function factOf({ name, label, member, currency }: Member): Fact {
  const words = `${wordsOf(name)} ${wordsOf(label)}`;
  if (typeof member === "number") {
    const value = parseDecimal(String(member));
    const isMoney = MONEY.test(words) && !MINOR.test(words);
    const own = isMoney ? currency : null;
    const text = own === null ? plainNumber(member) : `${moneyText(member, own)} ${own}`;
    const isCounted = value !== null && !NAMES_SOMETHING.test(words);
    return { name, label, text, amount: isCounted ? { value, currency: own } : null };
  }
  if (typeof member === "string") {
    const [, digits, code] = MONEY_TEXT.exec(member) ?? [];
    const value = digits === undefined ? null : parseDecimal(digits);
    const amount = value && code !== undefined ? { value, currency: code } : null;
    return { name, label, text: cut(member), amount };
  }
  return { name, label, text: otherText(member), amount: null };
}

const MONEY = /\b(amount|price|total|sum|cost|fee|refund|payment|credit|charge|balance|value)\b/i;
/** Cents of something: the number is not in units of the currency. */
const MINOR = /\b(cents?|minor|pence)\b/i;
/** Numbers that are no quantity. */
const NAMES_SOMETHING =
  /\b(id|ids|no|number|nr|order|invoice|account|code|zip|postcode|phone|year|month|day|date|version|index|port|latitude|longitude)\b/i;
/** As `12.50 EUR`; with a comma it may mean thousands. */
const MONEY_TEXT = /^\s*(-?\d+(?:\.\d+)?)\s*([A-Z]{3})\s*$/;
const CURRENCY_CODE = /^[A-Z]{3}$/;

/** `amount_cents` and `amountCents` → `amount cents`. */
function wordsOf(name: string): string {
  return name.replaceAll("_", " ").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
}

/** The one member that holds a currency's code; undefined where there is none, or more than one. */
function currencyOf(
  value: JsonObject,
  titleOf: (name: string) => string,
): { readonly name: string; readonly code: string } | undefined {
  const found = Object.entries(value).flatMap(([name, member]) => {
    const isCurrency = /\bcurrency\b/i.test(`${wordsOf(name)} ${titleOf(name)}`);
    const isCode = typeof member === "string" && CURRENCY_CODE.test(member);
    return isCurrency && isCode ? [{ name, code: member }] : [];
  });
  const isShown = Object.entries(value).some(
    ([name, member]) =>
      typeof member === "number" &&
      MONEY.test(wordsOf(`${name} ${titleOf(name)}`)) &&
      !MINOR.test(wordsOf(`${name} ${titleOf(name)}`)),
  );
  return found.length === 1 && isShown ? found[0] : undefined;
}

/** With the decimals of its currency, and more where it has more: money is not rounded. */
function moneyText(value: number, currency: string): string {
  const own = decimalsOf(currency);
  const decimals = Math.max(own, /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0);
  return value.toLocaleString(undefined, {
    minimumFractionDigits: Math.min(decimals, 20),
    maximumFractionDigits: Math.min(decimals, 20),
  });
}

/** Two where the currency is not known. */
export function decimalsOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat(undefined, { style: "currency", currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

function plainNumber(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: 20 });
}

function otherText(member: unknown): string {
  if (typeof member === "boolean") return member ? "yes" : "no";
  if (Array.isArray(member)) {
    const isPlain = member.every((one) => typeof one === "string" || typeof one === "number");
    if (isPlain && member.length > 0) return cut(member.join(", "));
    return member.length === 1 ? "1 entry" : `${member.length} entries`;
  }
  const count = isJsonObject(member) ? Object.keys(member).length : 0;
  return count === 1 ? "1 field" : `${count} fields`;
}

function cut(text: string): string {
  const characters = Array.from(text.slice(0, 4 * MAX_TEXT_CHARACTERS));
  const isWhole =
    text.length <= 4 * MAX_TEXT_CHARACTERS && characters.length <= MAX_TEXT_CHARACTERS;
  return isWhole ? text : `${characters.slice(0, MAX_TEXT_CHARACTERS - 1).join("")}…`;
}

/** Whether the platform has asked in its own words, since the tool has no `confirmation_message`: its values say more. */
export function isPlainQuestion(question: string, toolName: string): boolean {
  return question.startsWith(`Run \`${toolName}\``);
}

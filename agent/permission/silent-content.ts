// Whether a rule's content can fit any call of its tool. Pure, and cautious: null wherever a call is thinkable that it fits.
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import { didYouMean } from "../../protocol/words/suggest-name.ts";
import type { ToolDeclaration } from "../ports.ts";
import { readSubject } from "./call-subject.ts";
import { findGrant, findRestriction } from "./match-rule.ts";

/** The members of a tool that rules are matched by. */
export type RuledTool = Pick<
  ToolDeclaration,
  "name" | "input_schema" | "rule_argument" | "rule_syntax"
>;

/** Values that are tried; an argument with more of them counts as one that may have any. */
const MAX_TRIED_VALUES = 100;
/** A number as calls have it; rules compare its text. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** The one class of a pattern that has no member, such as `[z-a]`. */
const EMPTY_CLASS = /^[^[]*\[([^\]!^])-([^\]])\]/su;

/** The reason that no call of the tool is ever decided by the rule's content; null when one may be. */
export function silentContent(rule: PermissionRule, tool: RuledTool): string | null {
  if (!rule.rule_content) return null;
  if (tool.rule_argument === undefined) {
    return `${tool.name} names no rule_argument, so that a rule with content fits none of its calls`;
  }
  const place = findArgument(tool.input_schema, tool.rule_argument);
  // A missing argument must not evade a deny or ask rule: such calls are decided by any content.
  if (rule.behavior !== "allow" && !place?.isRequired) return null;
  const syntax = tool.rule_syntax ?? "exact";
  // A path is read from the session's working directory.
  if (syntax === "path") return null;
  const content = rule.rule_content;
  const values = place && valuesOf(place.schema);
  if (values) {
    const fits = values.some((value) => decides(rule, tool, inputWith(tool.rule_argument, value)));
    return fits ? null : `fits none of the values that the argument can have: ${values.join(", ")}`;
  }
  const type = place?.schema["type"];
  if (syntax === "exact" && (type === "number" || type === "integer") && !NUMBER.test(content)) {
    return "is no number, and the argument is one";
  }
  return syntax === "glob" && hasEmptyClass(content)
    ? "has a class without a member, so that it fits nothing"
    : null;
}

/** The words about a tool's `rule_argument` that its schema does not have; null when it may be in an input. */
export function missingArgument({ input_schema, rule_argument }: RuledTool): string | null {
  if (rule_argument === undefined) return null;
  let schema: JsonSchema = input_schema;
  for (const name of segmentsOf(rule_argument)) {
    const properties = recordOf(schema["properties"]);
    if (!properties || isOpen(schema)) return null;
    const next = recordOf(properties[name]);
    if (!next) {
      if (Object.hasOwn(properties, name)) return null;
      const meant = didYouMean(name, Object.keys(properties));
      return `the input_schema has no property ${name}${meant}`;
    }
    schema = next;
  }
  return null;
}

function decides(rule: PermissionRule, tool: RuledTool, input: unknown): boolean {
  const subject = readSubject(tool as ToolDeclaration, input, []);
  return rule.behavior === "allow"
    ? findGrant([rule], rule.tool_name, subject) !== null
    : findRestriction([rule], rule.tool_name, rule.behavior as "deny" | "ask", subject) !== null;
}

interface Place {
  readonly schema: JsonSchema;
  /** Whether each call has it. */
  readonly isRequired: boolean;
}

/** The schema of the argument; null when nothing is known of it. */
function findArgument(schema: JsonSchema, pointer: string): Place | null {
  let found: Place = { schema, isRequired: true };
  for (const name of segmentsOf(pointer)) {
    const { schema: outer } = found;
    const inner = recordOf(recordOf(outer["properties"])?.[name]);
    if (!inner || isOpen(outer)) return null;
    const { required } = outer;
    const isRequired = found.isRequired && Array.isArray(required) && required.includes(name);
    found = { schema: inner, isRequired };
  }
  return isOpen(found.schema) ? null : found;
}

/** Whether more than its own members say what fits the schema. */
function isOpen(schema: JsonSchema): boolean {
  return ["$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "if", "patternProperties"].some(
    (name) => schema[name] !== undefined,
  );
}

function valuesOf({ type, enum: listed, const: only }: JsonSchema): readonly unknown[] | null {
  if (Array.isArray(listed)) {
    return listed.length > MAX_TRIED_VALUES || !listed.every(isScalar) ? null : listed;
  }
  if (only !== undefined) return isScalar(only) ? [only] : null;
  return type === "boolean" ? [true, false] : null;
}

function inputWith(pointer: string | undefined, value: unknown): unknown {
  return segmentsOf(pointer ?? "").reduceRight<unknown>(
    (inner, name) => ({ [name]: inner }),
    value,
  );
}

function hasEmptyClass(pattern: string): boolean {
  const [, low = "", high = ""] = EMPTY_CLASS.exec(pattern) ?? [];
  return (low.codePointAt(0) ?? 0) > (high.codePointAt(0) ?? 0);
}

function segmentsOf(pointer: string): readonly string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function recordOf(value: unknown): JsonSchema | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonSchema)
    : null;
}

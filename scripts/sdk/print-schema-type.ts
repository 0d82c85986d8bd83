// Prints the TypeScript type of a zod schema, so that the SDK's package describes the wire without zod.
import type * as z from "zod";

/** The values that a schema takes, with members left out that have a default; or the values that it gives. */
export type Side = "input" | "output";

export interface PrintContext {
  readonly side: Side;
  /** Whether members and lists are read-only, as `Frozen` makes them. */
  readonly isFrozen: boolean;
  /** The name of a schema that has one, which is printed in its place; null prints its structure. */
  nameOf(schema: z.core.$ZodType, side: Side): string | null;
  /** Called when the text names `JsonValue`. */
  readonly useJson: () => void;
  /** The doc comment of a member with its line end, or nothing. */
  readonly commentOf: (member: string) => string;
}

/**
 * The type as source text.
 *
 * @throws {TypeError} for schemas whose type is not known at run time, such as transforms.
 */
export function printSchemaType(schema: z.core.$ZodType, context: PrintContext): string {
  return context.nameOf(schema, context.side) ?? printStructure(schema, context);
}

/** The same without looking up the schema's own name. @throws {TypeError} as {@link printSchemaType}. */
export function printStructure(schema: z.core.$ZodType, context: PrintContext): string {
  const print = (inner: z.core.$ZodType) => printSchemaType(inner, context);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (context.side === "input" && "coerce" in def && def.coerce === true) return "unknown";
  switch (def.type) {
    case "string":
    case "template_literal":
      return "string";
    case "number":
      return "number";
    case "boolean":
    case "null":
    case "unknown":
    case "undefined":
    case "never":
      return def.type;
    case "literal":
      return def.values.map((value) => JSON.stringify(value)).join(" | ");
    case "enum":
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(" | ");
    case "array":
      return `${context.isFrozen ? "ReadonlyArray" : "Array"}<${print(def.element)}>`;
    case "record": {
      const record = `Record<${print(def.keyType)}, ${print(def.valueType)}>`;
      return context.isFrozen ? `Readonly<${record}>` : record;
    }
    case "union":
      return [...new Set(def.options.map(print))].join(" | ");
    case "intersection":
      return `(${print(def.left)}) & (${print(def.right)})`;
    case "nullable":
      return `${print(def.innerType)} | null`;
    case "optional":
      return `${print(def.innerType)} | undefined`;
    case "default":
    case "prefault":
      return context.side === "input"
        ? `${print(def.innerType)} | undefined`
        : print(def.innerType);
    case "readonly":
      return `Readonly<${print(def.innerType)}>`;
    case "pipe":
      return print(context.side === "input" ? def.in : def.out);
    case "object":
      return printObject(def, context);
    case "lazy":
      // The only recursive schema is `z.json()`.
      context.useJson();
      return "JsonValue";
    default:
      throw new TypeError(`the type of a schema of the kind ${def.type} is not printed`);
  }
}

function printObject(def: z.core.$ZodObjectDef, context: PrintContext): string {
  const { side, isFrozen } = context;
  const modifier = isFrozen ? "readonly " : "";
  const members = Object.entries(def.shape).map(([name, member]) => {
    const isOptional = mayBeLeftOut(member, side);
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const type = printSchemaType(member, context);
    return `${context.commentOf(name)}${modifier}${key}${isOptional ? "?" : ""}: ${type};\n`;
  });
  // A loose object keeps members that it does not know; a strict one has the catch-all `never`.
  if (def.catchall && def.catchall._zod.def.type !== "never") {
    members.push(`${modifier}[key: string]: ${printSchemaType(def.catchall, context)};\n`);
  }
  // `{}` would take a text or a number as well.
  if (members.length === 0) return "Record<string, never>";
  return `{\n${members.join("")}}`;
}

function mayBeLeftOut(member: z.core.$ZodType, side: Side): boolean {
  const { def } = (member as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
      return true;
    case "default":
    case "prefault":
      return side === "input";
    case "nullable":
    case "readonly":
      return mayBeLeftOut(def.innerType, side);
    case "pipe":
      return mayBeLeftOut(side === "input" ? def.in : def.out, side);
    default:
      return false;
  }
}

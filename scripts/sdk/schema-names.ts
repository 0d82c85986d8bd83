// The types in protocol/ that schemas have by name, with their modules.
import type * as z from "zod";

import { printStructure, type PrintContext, type Side } from "./print-schema-type.ts";

/** The module of `JsonValue`, which the package alone has: there it takes the place of `z.json()`. */
export const JSON_PATH = "protocol/json-value.ts";

/** An exported schema, and the names of its types in the SDK's package. */
export interface NamedSchema {
  readonly schema: z.core.$ZodType;
  /** `protocol/…/<file>.ts`. */
  readonly path: string;
  /** The type of the schema's output; null when no type was named after it. */
  readonly output: string | null;
  /** Whether that type is read-only all through: it does not stand for the schema in a type that is not. */
  readonly isFrozen: boolean;
  /** The type of its input. The source names it only where it is needed there; the package always has a name for it. */
  readonly input: string;
  /** Whether the source declares `input`. */
  readonly hasInput: boolean;
}

export class SchemaNames {
  readonly #byName = new Map<string, NamedSchema>();
  readonly #bySchema = new Map<z.core.$ZodType, NamedSchema>();

  /** @throws {TypeError} when two modules export schemas of one name, which texts could not tell apart. */
  add(name: string, named: NamedSchema): void {
    if (this.#byName.has(name)) throw new TypeError(`two modules export ${name}`);
    this.#byName.set(name, named);
    if (!this.#bySchema.has(named.schema)) this.#bySchema.set(named.schema, named);
  }

  get(name: string): NamedSchema | undefined {
    return this.#byName.get(name);
  }

  /** @param use Called for each name that the text will contain. */
  context(
    side: Side,
    use: (name: string, path: string) => void,
    { commentOf = () => "", isFrozen = false }: Partial<PrintContext> = {},
  ): PrintContext {
    return {
      side,
      isFrozen,
      commentOf,
      useJson: () => use("JsonValue", JSON_PATH),
      nameOf: (schema, wanted) => {
        const named = this.#bySchema.get(schema);
        if (!named || (named.isFrozen && !isFrozen)) return null;
        const name = this.nameOf(named, wanted);
        if (name === null) return null;
        use(name, named.path);
        return name;
      },
    };
  }

  /** The name of one side; what is the same on both sides has one name. Null prints its structure. */
  nameOf(named: NamedSchema, side: Side): string | null {
    if (side === "output") return named.output;
    if (this.isSymmetric(named)) return named.output;
    return named.input;
  }

  /** Whether it takes exactly what it gives. A schema without a printable type is not. */
  isSymmetric({ schema }: NamedSchema): boolean {
    const print = (side: Side) =>
      printStructure(
        schema,
        this.context(side, () => undefined),
      );
    try {
      return print("input") === print("output");
    } catch {
      return false;
    }
  }
}

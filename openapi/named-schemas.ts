// The schemas that have a name in the document: those with an id that a route, an event or a problem reaches.
import * as z from "zod";

export type Side = "request" | "answer";
export type NamedSchemas = Readonly<Record<string, z.ZodType>>;

type Walked = z.core.$ZodType;

/** The schemas with an id below the roots, by id, in the form in which that side of a request has them. */
export function findNamedSchemas(roots: readonly z.ZodType[], side: Side): NamedSchemas {
  const seen = new Set<Walked>();
  const named: Record<string, z.ZodType> = {};
  const open: Walked[] = [...roots];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    const id = idOf(schema, side);
    if (id !== undefined) {
      if (named[id] !== undefined) throw new Error(`two schemas have the id ${id}`);
      named[id] = schema as z.ZodType;
    }
    open.push(...partsOf((schema as z.core.$ZodTypes)._zod.def, side));
  }
  return named;
}

/**
 * The id in `.meta({ id })` of this very schema: a refined or described copy has none, nor has a schema on the side that
 * its `only` leaves out.
 */
function idOf(schema: Walked, side: Side): string | undefined {
  const { id, only = side } = z.globalRegistry.get(schema) ?? {};
  return only === side ? id : undefined;
}

/** The schema's own description: not that of the schema that it is a refined copy of. */
export function descriptionOf(schema: Walked): string | undefined {
  const description = z.globalRegistry.get(schema)?.description;
  const { parent } = schema._zod;
  const inherited = parent && z.globalRegistry.get(parent)?.description;
  return inherited === description ? undefined : description;
}

/** The schemas that one is made of. The one that it is a refined or described copy of is none of them. */
function partsOf(def: z.core.$ZodTypes["_zod"]["def"], side: Side): readonly Walked[] {
  switch (def.type) {
    case "object":
      return [...Object.values(def.shape), ...(def.catchall ? [def.catchall] : [])];
    case "array":
      return [def.element];
    case "tuple":
      return [...def.items, ...(def.rest ? [def.rest] : [])];
    case "record":
      return [def.keyType, def.valueType];
    case "union":
      return def.options;
    case "intersection":
      return [def.left, def.right];
    case "pipe":
      return [side === "request" || isTransform(def.out) ? def.in : def.out];
    case "lazy":
      return [def.getter()];
    case "optional":
    case "nullable":
    case "nonoptional":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
      return [def.innerType];
    default:
      return [];
  }
}

function isTransform(schema: Walked): boolean {
  return schema._zod.def.type === "transform";
}

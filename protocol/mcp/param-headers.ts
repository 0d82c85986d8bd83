// `x-mcp-header` in a tool's input schema (modern era): a primitive argument that is repeated in a header
// `Mcp-Param-<name>`, so that what stands before the server can route by it.
import { encodeHeaderValue } from "./header-values.ts";
import { isJsonObject } from "../json-object.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface ParamHeader {
  /** The member of the arguments, from the outside in. */
  readonly path: readonly string[];
  readonly header: string;
}

export type ParamHeaders =
  | { readonly ok: true; readonly headers: readonly ParamHeader[] }
  /** The specification forbids to use such a tool. */
  | { readonly ok: false; readonly problem: string };

const KEYWORD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

/** @param schema Of bounded depth. Cost: linear in its size. */
export function findParamHeaders(schema: Fields): ParamHeaders {
  const headers: ParamHeader[] = [];
  const names = new Set<string>();
  const waiting: { readonly node: unknown; readonly path: readonly string[] | null }[] = [
    { node: schema, path: [] },
  ];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { node, path } = place;
    if (Array.isArray(node)) {
      waiting.push(...node.map((one: unknown) => ({ node: one, path: null })));
      continue;
    }
    if (!isJsonObject(node)) continue;
    if (Object.hasOwn(node, KEYWORD)) {
      const header = node[KEYWORD];
      if (!path || path.length === 0) return refuse("is not on a property of the input");
      if (typeof header !== "string" || !TOKEN.test(header)) return refuse("is no header's name");
      if (!TYPES.has(node["type"]))
        return refuse("is on a value that is no string, integer or boolean");
      if (names.has(header.toLowerCase())) return refuse("is there twice");
      names.add(header.toLowerCase());
      headers.push({ path, header });
    }
    for (const [name, inner] of Object.entries(node)) {
      if (name === "properties" && isJsonObject(inner)) {
        for (const [member, property] of Object.entries(inner)) {
          waiting.push({ node: property, path: path && [...path, member] });
        }
      } else if (SUBSCHEMAS.has(name)) {
        const branches = MAPS.has(name) && isJsonObject(inner) ? Object.values(inner) : [inner];
        waiting.push(...branches.map((one) => ({ node: one, path: null })));
      }
    }
  }
  return { ok: true, headers };
}

/** The headers of one call; a member that the input lacks has none. */
export function paramHeaders(
  declared: readonly ParamHeader[],
  input: unknown,
): Record<string, string> {
  const found = declared.flatMap(({ path, header }) => {
    const text = textOf(memberAt(input, path));
    return text === null ? [] : [[`mcp-param-${header.toLowerCase()}`, encodeHeaderValue(text)]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

const MAPS: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
]);
/** Keywords below which a schema may be that is not reached by members alone. */
const SUBSCHEMAS: ReadonlySet<string> = new Set([
  ...MAPS,
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "oneOf",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

function refuse(problem: string): ParamHeaders {
  return { ok: false, problem: `its ${KEYWORD} ${problem}` };
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : null;
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

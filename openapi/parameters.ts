// The parameters of a route in path, query and headers. Each is a component that routes share.
import { PATH_PARAMETERS, type Route } from "../protocol/routes.ts";
import type { JsonSchema, Parameter, Reference } from "./document-types.ts";
import { refTo } from "./document-types.ts";
import { REQUEST_HEADERS } from "../protocol/requests/documented-headers.ts";
import { componentName } from "./component-name.ts";
import { toRequestSchema } from "./json-schemas.ts";
import type { DocumentedRoute } from "../protocol/requests/contract.ts";
import { PATH_PARAMETER_DESCRIPTIONS, QUERY_PARAMETER_DESCRIPTIONS } from "./contracts.ts";

/**
 * Adds the parameters to `shared`.
 * @returns References to them.
 */
export function parametersOf(
  route: DocumentedRoute,
  shared: Record<string, Parameter>,
): readonly Reference[] {
  const own: readonly Parameter[] = [
    ...pathParameters(route),
    ...queryParameters(route),
    REQUEST_HEADERS["X-Request-Id"],
    ...(route.keeps_keys === undefined ? [] : [REQUEST_HEADERS["Idempotency-Key"]]),
    ...(route.headers ?? []).map((name) => REQUEST_HEADERS[name]),
  ];
  return own.map((parameter) => refTo("parameters", share(parameter, shared)));
}

/** Different parameters with one name, such as two kinds of `status`, get a number. */
function share(parameter: Parameter, shared: Record<string, Parameter>): string {
  const base = componentName(`${parameter.in}_${parameter.name}`);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}${count}`;
    const known = shared[name];
    if (known && JSON.stringify(known) !== JSON.stringify(parameter)) continue;
    shared[name] = parameter;
    return name;
  }
}

function pathParameters({ path }: Route): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: describe(PATH_PARAMETER_DESCRIPTIONS, name),
    schema:
      PATH_PARAMETERS[name] === "number" ? { type: "integer", minimum: 1 } : { type: "string" },
  }));
}

function queryParameters({ query, queryDescriptions }: DocumentedRoute): readonly Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toRequestSchema(query) as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
  };
  const descriptions = { ...QUERY_PARAMETER_DESCRIPTIONS, ...queryDescriptions };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    description: describe(descriptions, name),
    schema: asText(schema),
  }));
}

/** For a list that is sent as one text, `a,b`, the default is shown in that form. */
function asText(schema: JsonSchema): JsonSchema {
  const isList = schema["type"] === "string" && Array.isArray(schema["default"]);
  return isList ? { ...schema, default: (schema["default"] as unknown[]).join(",") } : schema;
}

function describe(descriptions: Readonly<Record<string, string>>, name: string): string {
  const description = descriptions[name];
  if (description === undefined) throw new Error(`the parameter ${name} has no description`);
  return description;
}

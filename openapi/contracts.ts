// The contracts of all concepts, combined in the order of the document.
import { CONCEPTS, CONTRACTS, type Concept } from "../protocol/concepts.ts";
import type { Contract, DocumentedRoute } from "../protocol/requests/contract.ts";
import { ROUTES, type KnownNames, type RouteName } from "../protocol/routes.ts";
import { BEHIND, CONCEPT_ORDER, ROUTE_PARTS } from "./order.ts";

type Texts = Readonly<Record<string, string>>;
type KnownRoute = DocumentedRoute<KnownNames> & { readonly name: RouteName };

/** An operation that refers to a tag or an example that no contract defines does not compile. */
const routes: readonly KnownRoute[] = ROUTES;

/** All routes in the order of the document. */
export const DOCUMENTED_ROUTES: readonly KnownRoute[] = sortRoutes();

export const TAGS = collect("tags");
export const EXAMPLES = collect("examples");
export const PATH_PARAMETER_DESCRIPTIONS: Texts = Object.fromEntries(
  Object.entries(collect("pathParameters")).map(([name, { description }]) => [name, description]),
);
export const QUERY_PARAMETER_DESCRIPTIONS: Texts = collect("queryParameters");
export const FIELD_DESCRIPTIONS: Texts = collect("fields");

function sortRoutes(): readonly KnownRoute[] {
  const known = new Map<string, KnownRoute>(routes.map((route) => [route.name, route]));
  const parts = new Map<string, KnownRoute[]>();
  for (const concept of CONCEPTS) {
    const { routes: own = [] }: Contract = CONTRACTS[concept];
    let part: string = concept;
    for (const { name } of own) {
      if (ROUTE_PARTS.some((start) => start === name)) part = name;
      const route = known.get(name);
      if (route) parts.set(part, [...(parts.get(part) ?? []), route]);
    }
  }
  return inOrder([...parts.keys()], ROUTE_PARTS).flatMap((part) => parts.get(part) ?? []);
}

/** Names in an order that is given; what it does not have comes last. */
function inOrder<Name extends string>(
  names: readonly Name[],
  order: readonly string[],
): readonly Name[] {
  const rankOf = (name: Name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...names].sort((left, right) => rankOf(left) - rankOf(right));
}

type Table = "tags" | "pathParameters" | "queryParameters" | "fields" | "examples";
type RowOf<Member extends Table> = NonNullable<Contract[Member]>[string];

/**
 * The tables of all contracts under one member, combined: of each concept its own rows, then those that stand behind them.
 * @throws {Error} when two contracts define one name.
 */
function collect<Member extends Table>(member: Member): Readonly<Record<string, RowOf<Member>>> {
  const names = new Set<string>();
  const own = new Map<Concept, [string, RowOf<Member>][]>();
  const behind = new Map<Concept, [string, RowOf<Member>][]>();
  for (const concept of CONCEPTS) {
    const { [member]: rows = {} }: Contract = CONTRACTS[concept];
    for (const [name, row] of Object.entries(rows) as [string, RowOf<Member>][]) {
      if (names.has(name)) throw new Error(`two contracts have ${member}.${name}`);
      names.add(name);
      const place = BEHIND[name];
      const group = place === undefined ? own : behind;
      const here = group.get(place ?? concept) ?? [];
      here.push([name, row]);
      group.set(place ?? concept, here);
    }
  }
  const rowsAt = (concept: Concept) => [
    ...(own.get(concept) ?? []),
    ...(behind.get(concept) ?? []),
  ];
  return Object.fromEntries(inOrder(CONCEPTS, CONCEPT_ORDER).flatMap(rowsAt));
}

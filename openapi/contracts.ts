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
  const parts = new Map<string, KnownRoute[]>();
  for (const concept of CONCEPTS) {
    const { routes: own = [] }: Contract = CONTRACTS[concept];
    let part: string = concept;
    for (const { name } of own) {
      if (ROUTE_PARTS.some((start) => start === name)) part = name;
      const known = routes.filter((route) => route.name === name);
      parts.set(part, [...(parts.get(part) ?? []), ...known]);
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
 * The tables of all contracts under one member, combined.
 * @throws {Error} when two of them define one name.
 */
function collect<Member extends Table>(member: Member): Readonly<Record<string, RowOf<Member>>> {
  const all: Record<string, RowOf<Member>> = {};
  for (const place of inOrder(CONCEPTS, CONCEPT_ORDER)) {
    for (const [name, row] of rowsAt(place, member)) {
      if (Object.hasOwn(all, name)) throw new Error(`two contracts have ${member}.${name}`);
      all[name] = row;
    }
  }
  return all;
}

/** The rows at a concept's place: its own without those that stand behind another concept's, and those behind it. */
function rowsAt<Member extends Table>(
  place: Concept,
  member: Member,
): readonly (readonly [string, RowOf<Member>])[] {
  const rowsOf = (concept: Concept) => {
    const contract: Contract = CONTRACTS[concept];
    return Object.entries(contract[member] ?? {}) as [string, RowOf<Member>][];
  };
  return [
    ...rowsOf(place).filter(([name]) => BEHIND[name] === undefined),
    ...CONCEPTS.flatMap(rowsOf).filter(([name]) => BEHIND[name] === place),
  ];
}

// The route table: every route of the API with its access rule and its documentation, from the contracts of the concepts.
// The Worker registers exactly these; the tenancy tests and the OpenAPI document are generated from it.
import { CONTRACTS } from "./concepts.ts";
import type { Contract, PathParameter } from "./requests/contract.ts";

export { REPLY_ID_HEADER } from "./requests/headers.ts";
export { BODY_BYTES } from "./requests/route.ts";
export type { Route } from "./requests/route.ts";

type AnyContract = (typeof CONTRACTS)[keyof typeof CONTRACTS];

/** A member of each contract that has it. */
type MemberOf<Some, Member extends keyof Contract> = Some extends {
  readonly [Key in Member]: infer Value;
}
  ? Value
  : never;

type KeysOf<Some> = Some extends unknown ? keyof Some & string : never;

type DefinedRoute = MemberOf<AnyContract, "routes">[number];

const contracts: readonly Contract[] = Object.values(CONTRACTS);

export const ROUTES = contracts.flatMap(
  ({ routes = [] }) => routes,
) as readonly object[] as readonly DefinedRoute[];

export type RouteName = DefinedRoute["name"];

/** The form of each parameter of paths, by its name. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameter["form"]>> = Object.fromEntries(
  contracts.flatMap(({ pathParameters = {} }) =>
    Object.entries(pathParameters).map(([name, { form }]) => [name, form]),
  ),
);

/** The names that contracts define for the operations of all of them. */
export interface KnownNames {
  readonly tag: KeysOf<MemberOf<AnyContract, "tags">>;
  readonly example: KeysOf<MemberOf<AnyContract, "examples">>;
}

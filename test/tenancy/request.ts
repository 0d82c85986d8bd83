// From a row of the suite to a request, and what its answer may not hold.
import { INPUT_EVENT_RIGHTS } from "../../protocol/events/contract.ts";
import type { Scope } from "../../protocol/keys/contract.ts";
import type { Route, RouteName } from "../../protocol/routes.ts";
import { ROUTES } from "../../protocol/routes.ts";
import type { Answer, Call } from "../worker/support/api.ts";
import { ask, OPERATOR } from "../worker/support/api.ts";
import { ROWS } from "./concepts.ts";
import type { Row } from "./row.ts";
import type { Kind, PathIds, World } from "./world.ts";

export interface Case {
  readonly route: Route & { readonly name: RouteName };
  readonly row: Row;
}

/** Every route with its row; `%s` of a title is the route. */
export const CASES: readonly [string, Case][] = ROUTES.map((route) => [
  `${route.method} ${route.path}`,
  { route, row: ROWS[route.name] },
]);
export const GUARDED = CASES.filter(([, { route }]) => route.access !== "public");

/** Values that stand in the request's places instead of the owner's own. */
export interface Replacement {
  readonly ids?: Partial<PathIds>;
  readonly body?: object;
  readonly query?: string;
}

export function parametersOf(route: Route): readonly (keyof PathIds)[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof PathIds);
}

/** Calls a route about `world`, with whatever credential `call` brings. */
export function request(
  { route, row }: Case,
  world: World,
  call: Call,
  { ids, body, query }: Replacement = {},
): Promise<Answer<Record<string, unknown>>> {
  const known: Record<string, string> = { ...world.ids, ...ids };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? "");
  const search = query ?? row.query?.(world);
  const json = body ?? row.body?.(world);
  return ask(route.method, search ? `${path}?${search}` : path, { ...call, ...(json && { json }) });
}

/** The caller that may use the route at all: the operator, or the owner of `world`. */
export function callerOf({ route }: Case, world: World): Call {
  return route.access === "operator" ? OPERATOR : world.call;
}

/** The scopes that a key needs for the request of the row; null where none opens the route: the operator's. */
export function scopesFor({ route: { access }, row }: Case): readonly Scope[] | null {
  if (access === "operator") return null;
  if (access === "public") return [];
  const own = ownScopeOf(access);
  return [...new Set([own, ...(row.besides ?? [])])];
}

/** The scope that the row's request needs at its route: the event posted there is an interrupt, the method sends a message. */
export function ownScopeOf(access: Exclude<Route["access"], "operator" | "public">): Scope {
  if (access === "input_event") return INPUT_EVENT_RIGHTS.USER_INTERRUPT.scope;
  return access === "a2a_call" ? "replies:write" : access;
}

/** Traces of `world` in the answer: none, unless the caller may see it. Ids that were sent do not count. */
export function findTraces(
  answer: Answer<unknown>,
  world: World,
  sent: readonly string[] = [],
): readonly string[] {
  // The challenge of a 401 names the address that was asked.
  const headers = [...answer.headers].filter(([name]) => name !== "www-authenticate").flat();
  const whole = [answer.text, ...headers].join("\n");
  const { version: _, ...ids } = world.ids;
  const secrets = [world.word, world.call.key, world.spareKey, ...Object.values(ids)];
  const found = secrets.filter((secret) => !sent.includes(secret) && whole.includes(secret));
  return sent.some((text) => text.includes(world.word))
    ? found.filter((secret) => secret !== world.word)
    : found;
}

/** Kinds of `world`'s texts that are in the answer, but for those that the row's request had. */
export function kindsIn({ row }: Case, world: World, { text }: Answer<unknown>): readonly Kind[] {
  const sent = [JSON.stringify(row.body?.(world) ?? ""), row.query?.(world) ?? ""].join("\n");
  const known = findKinds(sent, world);
  return [...findKinds(text, world)].filter((kind) => !known.has(kind)).toSorted();
}

function findKinds(text: string, { word }: World): ReadonlySet<Kind> {
  const found = text.matchAll(new RegExp(`${word}-([a-z]+)`, "g"));
  return new Set(Array.from(found, ([, kind]) => kind as Kind));
}

/** An answer without what differs from request to request; `id` is what was asked for. */
export function essenceOf({ status, json }: Answer<Record<string, unknown>>, id: string): unknown {
  const { request_id: _, ...rest } = json;
  return { status, body: JSON.stringify(rest).replaceAll(id, "<id>") };
}

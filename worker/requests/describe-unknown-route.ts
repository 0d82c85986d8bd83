import type { Route } from "../../protocol/routes.ts";
import { ROUTES } from "../../protocol/routes.ts";
import { suggestName } from "../../protocol/words/suggest-name.ts";
import { quoteShort } from "./quote-short.ts";

/** Segments of a path that is compared: the longest route has seven. */
const MAX_SEGMENTS = 10;
/** Cost of a segment that is similar to the route's, but not the same. */
const MISSPELLED = 1;
/** Cost of another method than the requested one. */
const OTHER_METHOD = 0.5;

/** The sentence of a 404 for a path that no route has, with the route that was probably meant. */
export function describeUnknownRoute(method: string, path: string): string {
  const asked = `there is no route ${method} ${quoteShort(path).slice(1, -1)}`;
  const meant = findSimilarRoute(method, path);
  return meant ? `${asked}; did you mean ${meant.method} ${meant.path}?` : asked;
}

function findSimilarRoute(method: string, path: string): Route | null {
  const segments = path.split("/").slice(1);
  if (segments.length > MAX_SEGMENTS) return null;
  const trimmed = segments.filter((segment) => segment !== "");
  const versions =
    trimmed[0] === "v1" ? [trimmed] : [trimmed, ["v1", ...trimmed], ["v1", ...trimmed.slice(1)]];
  let best: { readonly route: Route; readonly cost: number } | null = null;
  for (const route of ROUTES) {
    const wanted = route.path.split("/").slice(1);
    for (const version of versions) {
      const cost = costOf(wanted, version) + (route.method === method ? 0 : OTHER_METHOD);
      // One misspelled segment in a path of at least as many right ones.
      if (cost < 2 && cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { route, cost };
    }
  }
  return best?.route ?? null;
}

/** Infinite for paths of other lengths and for segments that are not similar. */
function costOf(wanted: readonly string[], given: readonly string[]): number {
  if (wanted.length !== given.length) return Number.POSITIVE_INFINITY;
  let cost = 0;
  for (const [index, segment] of wanted.entries()) {
    const other = given[index] ?? "";
    if (segment === other || segment.startsWith("{")) continue;
    if (suggestName(other, [segment]) === null) return Number.POSITIVE_INFINITY;
    cost += MISSPELLED;
  }
  return cost;
}

import { isSameJson } from "./is-same-json.ts";

/**
 * A state with a version, in place of another one of the same session. Versions only grow, so that one that a client has
 * read never names two states.
 */
export function restoredVersion<State extends { readonly version: number }>(
  target: State,
  now: State,
): State {
  const isSame = isSameJson({ ...target, version: now.version }, now);
  return isSame ? now : { ...target, version: now.version + 1 };
}

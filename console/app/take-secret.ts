import { useEffect } from "react";

let kept = "";

/**
 * The secret in the address's fragment: taken out of it, so that neither history nor bookmarks keep it. Kept until it is used,
 * since a page may be rendered again.
 */
export function takeSecret(): string {
  const secret = window.location.hash.slice(1);
  if (secret !== "") {
    window.history.replaceState(null, "", window.location.pathname);
    kept = secret;
  }
  return kept;
}

/** Loads the page anew for a link that is opened in its tab: where the fragment alone is another one, browsers load nothing. */
export function useNewLink(): void {
  useEffect(() => {
    const open = (): void => {
      if (window.location.hash.length > 1) window.location.reload();
    };
    window.addEventListener("hashchange", open);
    return () => window.removeEventListener("hashchange", open);
  }, []);
}

/** The secret was used up. */
export function forgetSecret(): void {
  kept = "";
}

/** The query of the address: taken out of it, as a secret is. */
export function takeQuery(): string {
  const query = window.location.search.slice(1);
  if (query !== "") window.history.replaceState(null, "", window.location.pathname);
  return query;
}

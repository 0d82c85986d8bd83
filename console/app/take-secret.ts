/** The secret in the address's fragment: taken out of it, so that neither history nor bookmarks keep it. */
export function takeSecret(): string {
  const secret = window.location.hash.slice(1);
  if (secret !== "") window.history.replaceState(null, "", window.location.pathname);
  return secret;
}

/** The query of the address: taken out of it, as a secret is. */
export function takeQuery(): string {
  const query = window.location.search.slice(1);
  if (query !== "") window.history.replaceState(null, "", window.location.pathname);
  return query;
}

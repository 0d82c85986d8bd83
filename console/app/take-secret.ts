/** The secret in the address's fragment: taken out of it, so that neither history nor bookmarks keep it. */
export function takeSecret(): string {
  const secret = window.location.hash.slice(1);
  if (secret !== "") window.history.replaceState(null, "", window.location.pathname);
  return secret;
}

// Resolves the URIs of schemas (`$id`, `$ref`). They are only names: nothing is fetched.

/** Resolves a reference as RFC 3986 says; without an absolute base it stays relative. */
export function resolveUri(base: string, reference: string): string {
  if (reference === "") return base;
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference;
  const [, scheme = "", authority = "", path = ""] =
    /^([a-z][a-z0-9+.-]*:)?(\/\/[^/]*)?(.*)$/is.exec(base) ?? [];
  if (reference.startsWith("//")) return scheme + reference;
  const joined = reference.startsWith("/")
    ? reference
    : path.slice(0, path.lastIndexOf("/") + 1) + reference;
  return scheme + authority + withoutDots(joined);
}

function withoutDots(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}

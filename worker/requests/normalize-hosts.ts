import { normalizeAllowedHost } from "../../outgoing/allowed-hosts.ts";
import { HttpError } from "../http-error.ts";

/**
 * The hosts of a credential in stored form, without duplicates.
 * @throws HttpError for an invalid host.
 */
export function normalizeHosts(entries: readonly string[]): string[] {
  const hosts = entries.map(normalizeAllowedHost);
  const errors = hosts.flatMap((host, index) =>
    host === null ? [{ pointer: `#/allowed_hosts/${index}`, detail: NO_HOST }] : [],
  );
  if (errors.length > 0) {
    const detail = "allowed_hosts has entries that are no hosts; `errors` says which";
    throw new HttpError("validation_failed", detail, { errors });
  }
  return [...new Set(hosts.filter((host) => host !== null))];
}

const NO_HOST =
  "this is no host; send a name such as api.example.com, *.example.com or localhost:8080";

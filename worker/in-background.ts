import { waitUntil } from "cloudflare:workers";

/** Continues work after the response was sent. Failures are logged. */
export function inBackground(what: string, work: Promise<unknown>): void {
  waitUntil(
    work.catch((error: unknown) => console.warn(`${what} failed`, { error: String(error) })),
  );
}

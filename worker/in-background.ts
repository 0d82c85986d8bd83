import { waitUntil } from "cloudflare:workers";

/** Goes on after the answer was sent. What fails is logged: nobody is left to be told. */
export function inBackground(what: string, work: Promise<unknown>): void {
  waitUntil(
    work.catch((error: unknown) => console.warn(`${what} failed`, { error: String(error) })),
  );
}

import type { AppContext } from "./app-env.ts";

/** `https://host` that addresses sent out begin with: the platform's own name, or the one it was called by. */
export function publicOrigin(context: AppContext): string {
  return new URL(context.env.PUBLIC_URL ?? context.req.url).origin;
}

import type { AppContext } from "../app-env.ts";

/** Whether the request's `Accept` names this media type itself, with whatever parameters. */
export function accepts(context: AppContext, mediaType: string): boolean {
  const accept = context.req.header("Accept") ?? "";
  return accept.split(",").some((type) => type.trim().toLowerCase().startsWith(mediaType));
}

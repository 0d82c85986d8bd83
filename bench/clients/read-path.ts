import type { Reprise, RepriseTenant } from "../peers/reprise.ts";
import { readBody, type ReadBody } from "./read-body.ts";

/** GETs a path of the platform as a tenant and reads the complete response. */
export function readPath(
  { baseUrl }: Pick<Reprise, "baseUrl">,
  { key }: Pick<RepriseTenant, "key">,
  path: string,
  accept = "application/json",
): Promise<ReadBody> {
  return readBody({
    url: `${baseUrl}${path}`,
    headers: { authorization: `Bearer ${key}`, accept },
  });
}

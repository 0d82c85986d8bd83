import { parseFileAddress } from "../../protocol/file-address.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";
import { findSources } from "../requests/media-sources.ts";

/**
 * Lets a session refer to the files of a request that was settled for another one: its fork, which takes the request in
 * its place.
 */
export async function shareMedia(
  context: AppContext,
  { from, to }: { readonly from: string; readonly to: string },
  value: unknown,
): Promise<void> {
  const ids = findSources(value, "#").flatMap(({ source }) => {
    const address = source.type === "url" ? parseFileAddress(source.url) : null;
    return address ? [address.file_id] : [];
  });
  if (ids.length === 0) return;
  const { files } = tenantStorage(context.env.DB, tenantOf(context));
  await files.shareReferences(from, to, [...new Set(ids)]);
}

// The media port of a session: files of the platform that the session names, read from R2.
import type { FoundMedia, MediaPort } from "../../model/media-port.ts";
import { parseFileAddress } from "../../protocol/file-address.ts";
import { fileKey } from "../../storage/files/file-key.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { readPublicUrl, type PublicUrlBindings } from "../../storage/webhooks/read-public-url.ts";
import type { SessionInit } from "../api/session-api.ts";

type MediaBindings = PublicUrlBindings & Pick<Env, "DB" | "FILES">;

/**
 * Media of a session's files. For each model call with files D1 is asked for those that the session may read. A tool or
 * a model can write the address of any file: the bytes of one that this session does not refer to are not sent to the
 * model.
 */
export function sessionMedia(
  env: MediaBindings,
  { tenant_id, session_id, origin }: Pick<SessionInit, "tenant_id" | "session_id" | "origin">,
): MediaPort {
  const origins = [origin, readPublicUrl(env)];
  function idOf(url: string): string | null {
    const address = parseFileAddress(url);
    return address && origins.includes(address.origin) ? address.file_id : null;
  }

  return {
    isFile: (url) => idOf(url) !== null,

    async find(urls) {
      const ids = urls.flatMap((url) => idOf(url) ?? []);
      const { files } = tenantStorage(env.DB, tenant_id);
      const named = await files.findNamed(session_id, ids);
      const byId = new Map(named.map((file) => [file.id, file]));
      return new Map(
        urls.flatMap((url): [string, FoundMedia][] => {
          const file = byId.get(idOf(url) ?? "");
          if (!file) return [];
          const { id, bytes, media_type } = file;
          return [[url, { bytes, media_type, open: () => open(fileKey(tenant_id, id)) }]];
        }),
      );
    },
  };

  async function open(key: string): Promise<ReadableStream<Uint8Array>> {
    const object = await env.FILES.get(key);
    if (!object) throw new Error("the file is gone");
    return object.body;
  }
}

// The media store of a session: what tools and models make becomes files of the session.
import type { KeptMedia, MadeMedia, MediaStore } from "../../agent/media-store.ts";
import { splitBase64 } from "../../agent/json/split-text.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { decodeBase64 } from "../../protocol/base64.ts";
import { fileAddress, parseFileAddress } from "../../protocol/file-address.ts";
import {
  MADE_FILE_ASKED_MS,
  MADE_MEDIA_RETRY_MS,
  MADE_MEDIA_TRIES,
} from "../../protocol/files/limits.ts";
import { pause } from "../../runtime/pause.ts";
import { putInSlices } from "../../runtime/put-in-slices.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { keepMedia } from "../../storage/files/keep-media.ts";
import type { FileBucket } from "../../storage/files/store-file.ts";
import { exceededQuota } from "../../storage/quotas/exceeded-quota.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { readPublicUrl, type PublicUrlBindings } from "../../storage/webhooks/read-public-url.ts";
import type { SessionInit } from "../api/session-api.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { fileIdsIn, type NamingMessage } from "./file-ids-in.ts";

/** Base64 without other characters, which may be cut anywhere between groups of four. */
const PLAIN = /^[A-Za-z0-9+/]*={0,2}$/;

type MediaBindings = PublicUrlBindings & Pick<Env, "DB" | "FILES">;

export interface MadeMediaStore extends MediaStore {
  /** As `keep`, of bytes. Contract: never rejects. */
  keepBytes(bytes: Uint8Array, mediaType: string): Promise<KeptMedia>;
  /**
   * Says in D1 that the log names the files that were kept here and are in the reply's message. The sweep asks about
   * all others. Contract: never rejects.
   */
  confirm(message: NamingMessage): Promise<void>;
}

/** For one execution of a reply. @param stop Ends the waiting between two tries. */
export function madeMedia(
  env: MediaBindings,
  {
    tenant_id,
    session_id,
    origin: openedAt,
  }: Pick<SessionInit, "tenant_id" | "session_id" | "origin">,
  stop: StopSignal,
): MadeMediaStore {
  const origin = readPublicUrl(env) ?? openedAt;
  const { files } = tenantStorage(env.DB, tenant_id);
  const kept = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();

  return {
    keep: (media) => inTurn(() => keep(media)),

    keepBytes: (bytes, mediaType) => inTurn(() => store(bytes, mediaType)),

    isLink(url) {
      if (!URL.canParse(url)) return false;
      const { origin: found, pathname, protocol } = new URL(url);
      if (found !== openedAt && found !== origin) return protocol === "http:";
      return pathname.startsWith("/v1/") && parseFileAddress(url) === null;
    },

    async confirm(message) {
      const named = fileIdsIn(message).filter((id) => kept.has(id));
      if (named.length > 0) await files.confirm(named).catch(warn);
    },
  };

  /** One after the other: each is several megabytes in memory. */
  function inTurn(keepOne: () => Promise<KeptMedia>): Promise<KeptMedia> {
    const result = last.then(keepOne);
    last = result;
    return result;
  }

  async function keep({ media_type, data }: MadeMedia): Promise<KeptMedia> {
    if (origin === undefined) return { ok: false, loss: "unavailable" };
    const bytes = await joinBase64(data);
    return bytes ? store(bytes, media_type) : { ok: false, loss: "malformed" };
  }

  async function store(bytes: Uint8Array, media_type: string): Promise<KeptMedia> {
    if (origin === undefined) return { ok: false, loss: "unavailable" };
    const bucket: FileBucket = {
      put: (key, content, options) =>
        putInSlices(content, (value) => env.FILES.put(key, value, options)),
      delete: (key) => env.FILES.delete(key),
    };
    const place = { tenantId: tenant_id, files, bucket };
    for (let tries = 1; ; tries += 1) {
      const dueAt = new Date(Date.now() + MADE_FILE_ASKED_MS).toISOString();
      try {
        const stored = await keepMedia(place, { sessionId: session_id, bytes, dueAt });
        if (stored.ok) {
          kept.add(stored.file.id);
          return { ok: true, url: fileAddress(origin, stored.file.id) };
        }
        if (stored.reason === "gone") return { ok: false, loss: "unavailable" };
      } catch (error) {
        if (exceededQuota(error) !== null) return { ok: false, loss: "quota" };
        console.warn("a file of a reply was not stored", { session_id, media_type, tries, error });
      }
      if (tries === MADE_MEDIA_TRIES || stop.aborted) return { ok: false, loss: "unavailable" };
      await pause(MADE_MEDIA_RETRY_MS, stop);
    }
  }
}

/**
 * The bytes of all pieces; null when one is no base64, or there is no byte. Decoded in slices: several megabytes at once
 * would hold up all sessions of the isolate.
 */
async function joinBase64(pieces: readonly string[]): Promise<Uint8Array | null> {
  const decoded: Uint8Array[] = [];
  for (const slice of pieces.flatMap((piece) => (PLAIN.test(piece) ? splitBase64(piece) : piece))) {
    await timeSlice();
    const bytes = decodeBase64(slice);
    if (!bytes) return null;
    decoded.push(bytes);
  }
  const bytes = joinBytes(decoded);
  return bytes.byteLength === 0 ? null : bytes;
}

function warn(error: unknown): void {
  console.warn("files of a reply were not confirmed; the sweep will ask", { error: String(error) });
}

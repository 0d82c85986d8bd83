// Media in a request, before a session gets them: addresses of files are checked, base64 is put right, and large data
// becomes a file.
import { fileAddress, parseFileAddress } from "../../protocol/file-address.ts";
import { readDataAddress } from "../../protocol/data-address.ts";
import { MAX_INLINE_MEDIA_CHARACTERS, MAX_NAMED_FILES } from "../../protocol/files/limits.ts";
import { NO_BASE64, putRight } from "../../protocol/put-right.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { keepMedia } from "./keep-media.ts";
import type { MediaPlace } from "./media-place.ts";
import {
  findSources,
  replaceSources,
  type FoundSource,
  type MediaSource,
} from "../requests/media-sources.ts";

/**
 * `value` as the session may have it. Addresses of this platform's files have their stable form, and the session refers
 * to each; base64 is canonical, and above 64 KB it is stored as a file of the session, whose id follows from its content,
 * so that a repeated request names the same one.
 * @param pointer JSON Pointer of `value` in the request.
 * @throws HttpError 404 with a pointer for a file that the session may not name; 400 for other addresses of this
 *   platform, such as an expiring link, and for data that is no base64 or has no byte; 503 while files cannot be stored: the
 *   data is not kept in the log instead.
 */
export async function settleMedia<Value>(
  context: AppContext,
  place: MediaPlace,
  value: Value,
  pointer: string,
): Promise<Value> {
  const found = findSources(value, pointer);
  if (found.length === 0) return value;
  const settled = new Map<MediaSource, MediaSource>();
  const named = findNamed(context, found);
  await checkNamed(context, place, named);
  for (const { source, file_id } of named) {
    if (source.type !== "url") continue;
    settled.set(source, { ...source, url: fileAddress(publicOrigin(context), file_id) });
  }
  for (const { source, pointer: at } of found) {
    // One after the other: each is several megabytes in memory.
    const right = isLarge(source) ? await toFile(context, place, source) : putRight(source);
    if (!right) {
      const member = source.type === "base64" ? "data" : "url";
      throw fieldError("validation_failed", `${at}/${member}`, NO_BASE64);
    }
    if (right !== source) settled.set(source, right);
  }
  return replaceSources(value, settled);
}

async function toFile(
  context: AppContext,
  place: MediaPlace,
  source: MediaSource,
): Promise<MediaSource | null> {
  const { media_type } = source;
  const data = source.type === "base64" ? source.data : readDataAddress(source.url)?.data;
  await timeSlice();
  const file_id = data === undefined ? null : await keepMedia(context, place, data);
  if (file_id === null) return null;
  return { type: "url", url: fileAddress(publicOrigin(context), file_id), media_type };
}

/** Whether {@link settleMedia} needs the session's row. */
export function hasMediaToSettle(context: AppContext, value: unknown): boolean {
  const found = findSources(value, "#");
  return found.some(({ source }) => isLarge(source)) || findNamed(context, found).length > 0;
}

interface NamedSource extends FoundSource {
  readonly file_id: string;
}

/** The sources that name files of this platform. @throws HttpError 400 for its other addresses. */
function findNamed(context: AppContext, found: readonly FoundSource[]): readonly NamedSource[] {
  return found.flatMap((one) => {
    const { source, pointer } = one;
    if (source.type !== "url" || !/^https?:/i.test(source.url)) return [];
    const isOwn = isOwnOrigin(context, new URL(source.url).origin);
    const address = parseFileAddress(source.url);
    if (isOwn && address) return [{ ...one, file_id: address.file_id }];
    if (isOwn && new URL(source.url).pathname.startsWith("/v1/")) {
      throw fieldError(
        "validation_failed",
        `${pointer}/url`,
        "a file is named by its `url`, …/v1/files/{file_id}/content; a link expires and is no address for messages",
      );
    }
    if (!isOwn && /^http:/i.test(source.url)) {
      throw fieldError(
        "validation_failed",
        `${pointer}/url`,
        "the address of a picture or a file begins with https:// or data:",
      );
    }
    return [];
  });
}

/** The public origin, and the one that the request came to: both reach this platform. */
function isOwnOrigin(context: AppContext, origin: string): boolean {
  return origin === publicOrigin(context) || origin === new URL(context.req.url).origin;
}

async function checkNamed(
  { env }: AppContext,
  { tenant_id, session_id, takes_tenant_files }: MediaPlace,
  named: readonly NamedSource[],
): Promise<void> {
  const ids = [...new Set(named.map(({ file_id }) => file_id))];
  if (ids.length === 0) return;
  if (ids.length > MAX_NAMED_FILES) {
    const detail = `a request may name ${MAX_NAMED_FILES} files at most`;
    throw fieldError("validation_failed", named[0]?.pointer ?? "#", detail);
  }
  const { files } = tenantStorage(env.DB, tenant_id);
  const known = await files.refer(session_id, ids, takes_tenant_files);
  const knownIds = new Set(known.map(({ id }) => id));
  const missing = named.filter(({ file_id }) => !knownIds.has(file_id));
  if (missing.length === 0) return;
  const detail = "there is no such file";
  const errors = missing.map(({ pointer }) => ({ pointer: `${pointer}/url`, detail }));
  throw new HttpError("not_found", detail, { errors: errors.slice(0, 20) });
}

/** Whether the source holds data that is too large for the log. */
function isLarge(source: MediaSource): boolean {
  return source.type === "base64"
    ? source.data.length > MAX_INLINE_MEDIA_CHARACTERS
    : source.url.length > MAX_INLINE_MEDIA_CHARACTERS && /^data:/i.test(source.url);
}

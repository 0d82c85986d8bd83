import { fieldError } from "../http-error.ts";

/**
 * The versions of an `If-Match` header.
 * @returns undefined when any version matches. @throws HttpError 400 for an invalid list of versions.
 */
export function wantedVersions(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  return header.split(",").map((tag) => {
    const [, version] = /^\s*"(\d{1,15})"\s*$/.exec(tag) ?? [];
    if (version !== undefined) return Number(version);
    const detail =
      'If-Match takes the version of the resource as its ETag has it, such as "3", or *';
    throw fieldError("validation_failed", "#/headers/if-match", detail);
  });
}

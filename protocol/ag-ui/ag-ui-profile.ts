// The versions of AG-UI in which a stream can be written. No zod here: files of clients import it.

/** Oldest first. `0.0` is what clients up to `@ag-ui/client` 0.0.59 take, `1.0` what clients of 1.x take. */
export const AG_UI_PROFILES = ["0.0", "1.0"] as const;
export type AgUiProfile = (typeof AG_UI_PROFILES)[number];

export const NEWEST_PROFILE: AgUiProfile = "1.0";

/** The versions that a run may name: those of a profile, in any minor version. */
export const PROTOCOL_VERSION = /^[01](?:\.\d{1,9}){0,2}$/;

/** Pure. @param version `protocolVersion` of a run, valid as above. Clients of before 1.0 send none. */
export function profileOf(version: string | null | undefined): AgUiProfile {
  return version?.startsWith("1") ? "1.0" : "0.0";
}

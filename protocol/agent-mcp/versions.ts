// The versions of MCP that agents speak. Two eras: up to 2025-11-25 a client begins with `initialize`; from 2026-07-28 on
// each request says its version and capabilities itself, and the server is asked by `server/discover`.

/** Newest first. Streamable HTTP begins with 2025-03-26. */
export const HANDSHAKE_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
export type HandshakeVersion = (typeof HANDSHAKE_VERSIONS)[number];

export const SELF_DESCRIBED_VERSIONS = ["2026-07-28"] as const;
export type SelfDescribedVersion = (typeof SELF_DESCRIBED_VERSIONS)[number];

/** The version of a request without the header: later versions require it. */
export const UNSTATED_VERSION: HandshakeVersion = "2025-03-26";

/** The version that the server answers `initialize` with: the client's if it is known, else the newest. */
export function negotiate(wanted: unknown): HandshakeVersion {
  return HANDSHAKE_VERSIONS.find((version) => version === wanted) ?? HANDSHAKE_VERSIONS[0];
}

/** Only clients of this version may send several messages in one body. */
export function hasBatches(version: HandshakeVersion): boolean {
  return version === "2025-03-26";
}

/** Whether a stream may begin with an event that has an id and no data. Older clients take it for broken JSON. */
export function hasPrimingEvents(version: HandshakeVersion): boolean {
  return version === "2025-11-25";
}

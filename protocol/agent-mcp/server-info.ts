/** The implementation as clients are told; its version is that of the API. */
export const SERVER_INFO = { name: "reprise", title: "Reprise", version: "1" } as const;

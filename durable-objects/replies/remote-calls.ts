// Calls of other systems' agents, as the tools of a reply know them (`tools/a2a/remote-calls.ts`): kept in the journal of
// calls, where they outlive this machine.
import type { KeptRemoteCall, RemoteCalls } from "../../tools/a2a/remote-calls.ts";
import { readPublicUrl, type PublicUrlBindings } from "../../storage/webhooks/read-public-url.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { CallTable } from "../tables/call-table.ts";

export function remoteCalls(
  env: PublicUrlBindings,
  { origin }: Pick<SessionInit, "origin">,
  calls: Pick<CallTable, "keep" | "kept">,
): RemoteCalls {
  return {
    ownOrigin: readPublicUrl(env) ?? origin ?? null,
    depth: 0,
    kept(callId) {
      const kept = calls.kept(callId);
      return kept === null ? null : (JSON.parse(kept) as KeptRemoteCall);
    },
    keep: (callId, call) => calls.keep(callId, JSON.stringify(call)),
  };
}

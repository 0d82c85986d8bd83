// Failures of agents of other systems in a reply, for those who look at an agent's remotes.
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import type { RemoteFailureNote } from "../api/tenant-api.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { SessionTables } from "../tables/session-tables.ts";

interface Source {
  readonly settings: Pick<SessionSettings, "init">;
  readonly tables: Pick<SessionTables, "diagnostics">;
}

/** Of replies, as their diagnostics have them. Nothing is read for an agent without remotes. */
export function remoteFailures(
  { settings: { init }, tables }: Source,
  replyIds: readonly string[],
): readonly RemoteFailureNote[] {
  const { tools } = equippedAgent(init);
  const names = new Set(tools.flatMap((tool) => (tool.type === "a2a" ? [tool.name] : [])));
  if (names.size === 0 && init.agent.model.provider !== "a2a") return [];
  const { agent_id } = init;
  return replyIds.flatMap((replyId) =>
    tables.diagnostics.list(replyId).flatMap((row): readonly RemoteFailureNote[] => {
      if (row.kind === "tool") {
        const { name, failure, started_at, duration_ms } = row.call;
        if (!failure || !names.has(name) || started_at === null) return [];
        const failed_at = new Date(Date.parse(started_at) + (duration_ms ?? 0)).toISOString();
        const { kind, http_status } = failure;
        return [{ agent_id, tool_name: name, kind, http_status, failed_at }];
      }
      const last = row.call.provider === "a2a" ? row.call.failed_tries.at(-1) : undefined;
      if (!last) return [];
      const { kind, http_status, failed_at } = last;
      return [{ agent_id, tool_name: "", kind, http_status, failed_at }];
    }),
  );
}

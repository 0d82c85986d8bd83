// Groups of tools that a session's agent has switched.
import { openSession } from "../../worker/support/api.ts";
import { keyWith } from "../../worker/support/credentials.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  readToolGroups: { answers: 200, shows: ["agent"] },
  writeToolGroups: {
    answers: 200,
    body: ({ word }) => ({
      groups: [{ name: `group-${word}`, switched: "on" }],
      tools: [{ name: word, switched: "off" }],
    }),
    besides: ["sessions:read", "sessions:write"],
    shows: ["agent"],
    stores: ["+audit_entries", "+session.ability_states", "+session.events"],
    refusedBy: ["stored_bytes", "database_bytes"],
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { session, call } = await openSession({
    name: "Desk",
    tools: [{ type: "external", name: "open_page" }],
    tool_groups: [{ name: "browser", description: "Pages.", tools: ["open_page"] }],
  });
  const place = { session_id: session.id };
  const json = { groups: [{ name: "browser", switched: "on" }] };
  await api.ask("writeToolGroups", place, { ...call, json });
  await api.ask("readToolGroups", place, call);
  const headers = { "If-Match": '"9"' };
  await api.ask("writeToolGroups", place, { ...call, headers, json });
  const narrow = await keyWith(call, ["sessions:read", "replies:write"]);
  await api.ask("writeToolGroups", place, { ...narrow, json: {} });
  const own = { tools: [{ type: "external", name: "note_down" }] };
  await api.ask("updateSession", place, { ...call, json: own });
}

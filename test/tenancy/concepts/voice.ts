// Voice connections: a route without an answer but a WebSocket. Its frames are asked in test/conformance/voice/.
import { REALTIME_FORMAT } from "../../../protocol/voice/formats.ts";
import { REALTIME_PROTOCOL } from "../../../protocol/voice/sockets.ts";
import { openSession } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { ConceptRows } from "../row.ts";

const UPGRADE = { Upgrade: "websocket", "Sec-WebSocket-Protocol": REALTIME_PROTOCOL };

export const ROWS = {
  openVoice: { answers: 426, isSilent: true, shows: [] },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const voice = { mode: "realtime", model: { provider: "scripted" } };
  const { call, session } = await openSession({ name: "Desk", voice });
  const place = { session_id: session.id };
  await api.ask("openVoice", place, call);
  await api.ask("openVoice", place, { ...call, headers: { Upgrade: "websocket" } });
  await api.ask("openVoice", place, { ...call, headers: UPGRADE });
  await api.ask("openVoice", { session_id: "ses_1" }, call);
  const realtime = { ...place, query: `?format=${REALTIME_FORMAT}` };
  await api.ask("openVoice", realtime, call);
  await api.ask("openVoice", realtime, { ...call, headers: { Upgrade: "websocket" } });
  await api.ask("openVoice", { ...place, query: "?format=other" }, call);
}

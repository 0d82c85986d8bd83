// Agents that speak, and their sessions, for tests of voice connections.
import { createAgent, createSession, createTenant, request } from "../platform-client.ts";

export const REALTIME = { mode: "realtime", model: { provider: "scripted" } } as const;
export const CASCADE = {
  mode: "cascade",
  transcription: { provider: "scripted" },
  speech: { provider: "scripted" },
} as const;

/** The client ends the turns, and they have no other end. */
const MANUAL = { turns: { type: "manual" } } as const;

export interface VoiceDesk {
  readonly tenantId: string;
  readonly key: string;
  readonly agentId: string;
  readonly sessionId: string;
}

/** A tenant with an agent that speaks so, and a session. @param agent Members of the agent beside its voice. */
export async function openVoiceDesk(voice: object = {}, agent: object = {}): Promise<VoiceDesk> {
  const { id: tenantId, key } = await createTenant();
  const mode = "mode" in voice ? {} : REALTIME;
  const agentId = await createAgent(key, { voice: { ...mode, ...MANUAL, ...voice }, ...agent });
  return { tenantId, key, agentId, sessionId: await createSession(key, agentId) };
}

interface StoredMessage {
  readonly id: string;
  readonly role: string;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly metadata: Record<string, unknown>;
  readonly usage: { readonly audio?: object } | null;
}

/** The conversation as it is stored, oldest first: who said what. */
export async function readConversation({
  key,
  sessionId,
}: Pick<VoiceDesk, "key" | "sessionId">): Promise<readonly string[]> {
  const messages = await readMessages({ key, sessionId });
  return messages.map(({ role, content }) => {
    const text = content.map((block) => block.text ?? `<${block.type}>`).join("|");
    return `${role}: ${text}`;
  });
}

export async function readMessages({
  key,
  sessionId,
}: Pick<VoiceDesk, "key" | "sessionId">): Promise<readonly StoredMessage[]> {
  const path = `/v1/sessions/${sessionId}/messages?limit=100`;
  const { body } = await request<{ data: StoredMessage[] }>("GET", path, { key });
  return body.data;
}

// The refund desk of `npm start`, with a voice: created for this run and removed after it.
import { Reprise, type TenantSession } from "@reprise/sdk";

import type { Platform } from "../reach-platform.ts";

export interface VoiceDesk {
  readonly session: TenantSession;
  /** Signs a browser in to the console, once. */
  readonly signInUrl: string;
  /** The session in the console's playground. */
  readonly pageUrl: string;
  remove(): Promise<void>;
}

/** Its words come faster than they are spoken, as those of others do. */
const MODEL = {
  provider: "scripted",
  name: "refund-desk",
  parameters: { tokens_per_second: 20 },
} as const;

export async function openVoiceDesk({ baseUrl, apiKey, agentId }: Platform): Promise<VoiceDesk> {
  const reprise = new Reprise({ apiKey, baseUrl });
  const { system_prompt, tools, permission } = await reprise.agents.get(agentId);
  const agent = await reprise.agents.create({
    name: "Refund desk that speaks",
    system_prompt,
    model: MODEL,
    tools,
    permission,
    voice: { mode: "realtime", model: MODEL },
  });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const { url } = await reprise.consoleLinks.create();
  return {
    session,
    signInUrl: url,
    pageUrl: `${baseUrl}/console/playground?session=${session.id}`,
    async remove() {
      await reprise.sessions.delete(session.id);
      await reprise.agents.delete(agent.id);
    },
  };
}

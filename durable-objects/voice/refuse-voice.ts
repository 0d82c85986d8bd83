// Whether an agent may speak: asked when a connection begins or goes on, and of each spoken reply, as the agent of a session
// may change meanwhile.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { VoiceSettings } from "../../protocol/voice/contract.ts";
import type { SessionInit } from "../api/session-api.ts";
import { registeredHooks } from "../settings/registered-hooks.ts";

const NO_VOICE = refuse(
  "voice_off",
  "the agent has no voice: give it one as `voice` of its definition, and open the session with that version",
);
const UNHELD = refuse(
  "voice_off",
  "hooks of the agent hold back what its model says, and a realtime voice says it at once: use a cascade",
);

/** The agent's voice. @param mode Of the connection that speaks, which may be from before; the agent's own when left out. */
export function voiceOf(
  init: Pick<SessionInit, "agent" | "hooks">,
  mode?: VoiceSettings["mode"],
): Result<VoiceSettings> {
  const { voice } = init.agent;
  if (!voice) return NO_VOICE;
  return (mode ?? voice.mode) === "realtime" && holdsWords(init) ? UNHELD : accept(voice);
}

/** Whether words of a model are shown only when a hook has answered. */
function holdsWords(init: Pick<SessionInit, "agent" | "hooks">): boolean {
  return registeredHooks(init).some(({ definition }) => definition.point === "pre_print");
}

// Opens the provider connection of a session's voice: with the agent's instructions, the conversation so far, and secrets as they
// are now.
import { withSkills } from "../../agent/skills/skills-prompt.ts";
import { modelError } from "../../agent/state/model-error.ts";
import type { VoiceModel, VoiceModelEvent } from "../../agent/voice/voice-model.ts";
import { createVoiceModel, type VoiceModelContext } from "../../model/voice/create-voice-model.ts";
import type { SessionHandles } from "../../model/voice/gemini/session-handles.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { egressRules, type EgressBindings } from "../../outgoing/egress-rules.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { ServerTurnsSchema, type VoiceSettings } from "../../protocol/voice/contract.ts";
import { readContext } from "../context/read-context.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { sessionMedia } from "../settings/session-media.ts";
import { pinnedSkillsOf } from "../settings/session-skills.ts";
import { sessionTools } from "../settings/session-tools.ts";
import { withInstructions } from "./with-instructions.ts";

/** Facts of a voice's model that are known before it is opened. */
export type VoiceFacts = Pick<VoiceModel, "name" | "mode" | "rates" | "truncation"> & {
  readonly takesText: boolean;
};

const NO_SECRETS: VoiceModelContext = {
  outgoing: () => Promise.reject(new Error("a voice that is described sends nothing")),
  secrets: () => ({
    ok: false,
    type: "setup",
    problem: "is not given to a voice that is described",
  }),
  decideTurn: refundDeskTurn,
};

export function describeVoice(voice: VoiceSettings): VoiceFacts {
  const { name, mode, rates, truncation, takesText = true } = createVoiceModel(voice, NO_SECRETS);
  return { name, mode, rates, truncation, takesText };
}

interface ProviderOpening {
  readonly voice: VoiceSettings;
  readonly turns: "server" | "manual";
  /** Added to those of the agent; null for none. */
  readonly instructions: string | null;
  /** In memory alone: with a handle a provider's session goes on over the next connection. */
  readonly handles: SessionHandles;
  readonly onEvent: (event: VoiceModelEvent) => void;
  readonly stop: AbortSignal;
  /** The tenant may not use it now: a quota is used up. */
  readonly refused: (refusal: Refusal) => void;
}

/** Contract: never rejects for what a provider does. */
export async function openProvider(
  { settings, tables, log, tenant, newId }: OpenSession,
  env: EgressBindings & Parameters<typeof sessionMedia>[0],
  { voice, turns, instructions, handles, onEvent, stop, refused }: ProviderOpening,
): ReturnType<VoiceModel["open"]> {
  const { init } = settings;
  // Before it waits: this connection may hear what is queued later.
  const unheard = tables.queue.messageIds();
  const [admitted, secrets, { history }] = await Promise.all([
    // As before a summary beside replies: what is heard is written down before any reply asks.
    tenant.checkBeside({ reply_id: newId("sum"), tokens: 0 }),
    settings.confirmCredentials(init).then((isUsable) => settings.openSecrets(isUsable, "init")),
    readContext(tables, init.agent, { below: log.lastSeq + 1 }),
  ]);
  if (!admitted.ok) {
    refused(admitted.refusal);
    return { ok: false, error: modelError("quota_exceeded") };
  }
  const outgoing = createOutgoing({ ...egressRules(env), fetch });
  const model = createVoiceModel(voice, {
    outgoing,
    secrets,
    handles,
    decideTurn: refundDeskTurn,
    media: sessionMedia(env, init),
  });
  const setup = {
    instructions: withInstructions(
      withSkills(init.agent.system_prompt, pinnedSkillsOf(init)),
      instructions,
    ),
    history,
    unheard,
    tools: sessionTools(init, tables),
    voice: voice.voice,
    turns: turns === "manual" ? null : turnsOf(voice),
    rates: model.rates,
  };
  return model.open(setup, onEvent, stop);
}

/** The agent's detection; the usual one where it has none and the client asks for it. */
export function turnsOf({ turns }: Pick<VoiceSettings, "turns">) {
  return turns.type === "server_vad" ? turns : ServerTurnsSchema.parse({ type: "server_vad" });
}

// The dialects of a voice connection, by their names in the address. No zod: clients use it.

/** The frames of the platform itself, with events of the log. */
export const FRAME_FORMAT = "agentscope";
/** The events of AgentScope's realtime agents: JSON alone, without a first frame. */
export const REALTIME_FORMAT = "agentscope-realtime";

export const VOICE_FORMATS = [FRAME_FORMAT, REALTIME_FORMAT] as const;
export type VoiceFormat = (typeof VOICE_FORMATS)[number];

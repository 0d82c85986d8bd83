// The voice of agents: words of its part of a definition.
import type { Contract } from "../requests/contract.ts";
import { VOICE_WORDS } from "./words.ts";

export const VOICE_CONTRACT = {
  fields: VOICE_WORDS,
} as const satisfies Contract;

// The owner of what a session remembers, as routes ask for it. The memories themselves are in the store's object.
import { accept } from "../../protocol/errors.ts";
import type { MemorySettings } from "../../protocol/memory/contract.ts";
import { act } from "./act.ts";

export interface SessionMemory {
  readonly agent_id: string;
  /** Of the definition that the session has. */
  readonly agent_version: number;
  readonly end_user_id: string | null;
  /** Null for an agent that remembers nothing. */
  readonly memory: MemorySettings | null;
}

export const MEMORY_ACTS = {
  readMemoryOwner: act<void, SessionMemory>({
    run: ({ init: { agent_id, agent_version, end_user_id, agent } }) =>
      accept({ agent_id, agent_version, end_user_id, memory: agent.memory ?? null }),
  }),
};

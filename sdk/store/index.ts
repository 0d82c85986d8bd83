// `@reprise/sdk/store`: the state of a session for user interfaces, without a framework.
export { SessionStore } from "./session-store.ts";

export type { SessionActions } from "./session-actions.ts";
export type { SessionStoreOptions } from "./session-store-options.ts";
export type { CallChoice } from "./call-answers.ts";
export type { MessageDraft, SendInput } from "./outgoing-draft.ts";
export type { SessionSignals } from "./session-signals.ts";
export type {
  CalledAgent,
  CalledAgentStatus,
  OutgoingMessage,
  SessionCall,
  SessionError,
  SessionState,
  SessionViewStatus,
} from "./session-state.ts";
export type { UnsentStorage } from "./unsent-storage.ts";
export type { ToolProgress } from "../../protocol/tools/events.ts";

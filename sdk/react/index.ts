"use client";

// `@reprise/sdk/react`: a session in React.
export { useSession } from "./use-session.ts";
export { useSessionStore, useSessionValue } from "./use-session-store.ts";
export { SessionStore } from "../store/session-store.ts";
export { connectSession } from "../session/connect-session.ts";
export { ApiError } from "../transport/api-error.ts";
export { ConnectionError } from "../transport/connection-error.ts";

export type { SessionConnection, UseSessionOptions } from "./use-session.ts";
export type { SessionView } from "./use-session-store.ts";
export type { SessionActions } from "../store/session-actions.ts";
export type { SessionStoreOptions } from "../store/session-store-options.ts";
export type { CallChoice } from "../store/call-answers.ts";
export type { MessageDraft, SendInput } from "../store/outgoing-draft.ts";
export type { SessionSignals } from "../store/session-signals.ts";
export type {
  CalledAgent,
  CalledAgentStatus,
  OutgoingMessage,
  SessionCall,
  SessionError,
  SessionState,
  SessionViewStatus,
} from "../store/session-state.ts";
export type { UnsentStorage } from "../store/unsent-storage.ts";
export type { ContentBlock } from "../../protocol/messages/blocks.ts";
export type { Msg } from "../../protocol/messages/messages.ts";
export type { ToolProgress } from "../../protocol/tools/events.ts";

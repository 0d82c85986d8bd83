// The port of calls of other systems' agents to their reply: what is known of a call while it waits, and after a crash.
import type { KeptTask } from "../../agent/mcp/kept-task.ts";
import type { RemoteContext } from "../../protocol/a2a/remote-context.ts";

/** Kept on disk before the message leaves: from there on it is never sent again. */
export interface KeptRemoteCall {
  readonly isSent: true;
  /** The agent's task, once it has named it. */
  readonly task?: KeptTask;
}

/** An address of ours, and the secret that posts to it have to bring. */
interface PushAddress {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

export interface RemoteCalls {
  /** Agents that have called each other over A2A above this reply. */
  readonly depth: number;
  /** Null for a call that was not sent. */
  kept(callId: string): KeptRemoteCall | null;
  /** On disk before anything is sent after it. */
  keep(callId: string, call: KeptRemoteCall): void;
  /** The context that a tool's earlier calls in the session have had; null for none. Left out where nothing is kept. */
  contextOf?(toolName: string): RemoteContext | null;
  /** In the log, for the calls that follow. */
  keepContext?(context: RemoteContext): void;
  /** The same each time for one call. Null where the platform does not know its own origin; left out where nobody looks. */
  pushAddress?(callId: string, expiresAtMs: number): Promise<PushAddress | null>;
}

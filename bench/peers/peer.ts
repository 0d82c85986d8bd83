// A measured system, which transports a model's tokens to a client.
import type { ObjectUsage } from "../cost/object-usage.ts";
import type { TokenReader } from "../clients/token-reader.ts";
import type { ModelScript } from "../model/model-script.ts";

export interface Peer {
  readonly name: PeerName;
  /** Pid of its only process. */
  readonly pid: number;
  /** Opens an empty conversation, which is not part of the measurement of replies. */
  openSession(): Promise<PeerSession>;
  /** Rows written so far in the database that sessions share; absent without one. */
  databaseRowsWritten?(): Promise<number>;
  /** The use that its objects have made so far; absent where that is not counted. */
  readObjects?(): Promise<ObjectUsage>;
  stop(): Promise<void>;
}

/** `raw` is the floor: a Worker that pipes the model's bytes. */
export type PeerName = "raw" | "reprise" | "row-per-token" | "cf-agents" | "node";

export interface PeerSession {
  /** Lets the model play the script and reads the complete reply. */
  reply(script: ModelScript): Promise<TokenReader>;
  /** Whether its format repeats the complete text at the end. */
  readonly tellsAgain?: boolean;
  /** Rows written for this session so far, as billed; absent where nothing is written. */
  rowsWritten?(): Promise<number>;
  /** Size of its own database, in whole pages; absent where nothing is kept. */
  storedBytes?(): Promise<number>;
  /** Replays the reply in progress over a separate connection. */
  replay?(): Promise<{ readonly ms: number; readonly tokens: number }>;
  close?(): void;
}

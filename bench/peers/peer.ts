// Something that is measured: it carries a model's tokens to a client.
import type { TokenReader } from "../clients/token-reader.ts";
import type { ModelScript } from "../model/model-script.ts";

export interface Peer {
  readonly name: PeerName;
  /** Of the one process that runs it. */
  readonly pid: number;
  /** A conversation that has not begun. Opening it is not measured with its replies. */
  openSession(): Promise<PeerSession>;
  /** Rows written up to now in a database that its sessions share; absent where there is none. */
  databaseRowsWritten?(): Promise<number>;
  stop(): Promise<void>;
}

/** `raw` is the floor: a Worker that pipes the model's bytes. */
export type PeerName = "raw" | "reprise" | "row-per-token" | "cf-agents" | "node";

export interface PeerSession {
  /** Has the model play the script, and reads the reply to its end. */
  reply(script: ModelScript): Promise<TokenReader>;
  /** Its format tells the whole text once more when the reply ends. */
  readonly tellsAgain?: boolean;
  /** Rows written for this session up to now, as they are billed; absent where nothing is written. */
  rowsWritten?(): Promise<number>;
  /** Reads again what was said so far of a reply that is under way, over a connection of its own. */
  replay?(): Promise<{ readonly ms: number; readonly tokens: number }>;
  close?(): void;
}

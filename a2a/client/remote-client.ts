// The client of one agent of another system: what a caller may ask of it. Nothing here throws: a failure is a value, and of
// a stream its last one.
import type { A2aMessage, A2aStreamResponse, A2aTask } from "../../protocol/a2a/wire.ts";
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { ResolvedCard } from "../cards/resolved-card.ts";
import type { RemotePushConfig } from "./write-wire.ts";

export interface RemoteFailure {
  readonly kind: FailureKind;
  /** A sentence of ours, without anything secret. */
  readonly reason: string;
  /** Of JSON-RPC, or the code of A2A that an answer over HTTP+JSON names. */
  readonly code?: number;
  readonly http_status?: number;
  /** The agent's own words, on one line, cut, without the secrets that it was sent. */
  readonly message?: string;
  /** Whether the agent may have taken what was sent: then it is never sent again. */
  readonly mayHaveArrived: boolean;
}

export type RemoteResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: RemoteFailure };

export interface RemoteOptions {
  readonly signal: AbortSignal;
}

interface SendOptions extends RemoteOptions {
  /** Media types that the caller can take. */
  readonly acceptedOutputModes?: readonly string[];
  /** Answers with the task as soon as there is one, where nothing streams. */
  readonly returnImmediately?: boolean;
}

export interface RemoteAgentClient {
  readonly card: ResolvedCard;
  /** Whether updates come while the agent works. */
  readonly canStream: boolean;
  /** Whether the card promises that changes of a task are posted to an address. */
  readonly canPush: boolean;
  /** Secrets that the agent was sent, which it may repeat in pieces. */
  readonly secrets: readonly string[];
  /** Counts anew what the agent sends: a task that is looked at for hours is no flood. */
  renewBounds(): void;
  /** Sends a message once. Streams where the agent can, else there is one value. */
  send(message: A2aMessage, options: SendOptions): AsyncIterable<RemoteResult<A2aStreamResponse>>;
  getTask(taskId: string, options: RemoteOptions): Promise<RemoteResult<A2aTask>>;
  cancelTask(taskId: string, options: RemoteOptions): Promise<RemoteResult<A2aTask>>;
  subscribe(taskId: string, options: RemoteOptions): AsyncIterable<RemoteResult<A2aStreamResponse>>;
  /** Has the task's changes posted to an address, in place of one with the same id. @returns the id that it has there. */
  createPush(
    taskId: string,
    config: RemotePushConfig,
    options: RemoteOptions,
  ): Promise<RemoteResult<string>>;
  deletePush(taskId: string, configId: string, options: RemoteOptions): Promise<void>;
}

export type AuthorizedHeaders =
  | {
      readonly ok: true;
      readonly headers: Readonly<Record<string, string>>;
      /** Parameters of the query, for a scheme that wants its key there. */
      readonly query?: Readonly<Record<string, string>>;
      /** Texts that are taken out of what the agent says in failures. */
      readonly secrets: readonly string[];
    }
  /** The reason, as a sentence: the agent is not asked. */
  | { readonly ok: false; readonly reason: string };

/** The sign-in of requests to the agent. */
export interface RemoteAuthorization {
  /** The headers of a request to this address. Contract: never rejects. */
  authorize(address: string, signal: AbortSignal): Promise<AuthorizedHeaders>;
  /** The agent has answered 401: what was used is forgotten. Whether another try may help. */
  refused?(): boolean;
}

export interface RemotePorts {
  readonly outgoing: OutgoingFetch;
  readonly authorization: RemoteAuthorization;
  /** Levels of agents above the one that calls, which each request says; 0 when left out. */
  readonly depth?: number;
}

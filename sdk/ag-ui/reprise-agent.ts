// AG-UI's own client with a transport that reconnects: a run outlives its connection, and a thread can be joined.
import {
  enforceOutgoingInput,
  HttpAgent,
  randomUUID,
  runHttpRequest,
  transformHttpEventStream,
} from "@ag-ui/client";
import type {
  AgentCapabilities,
  AgentSubscriber,
  Message,
  RunAgentInput,
  RunAgentParameters,
  RunAgentResult,
  State,
} from "@ag-ui/client";

import type { InterruptResult } from "../../protocol/replies/contract.ts";
import { readEvents, type EventFeed } from "../events/read-events.ts";
import { openTransport } from "../transport/open-transport.ts";
import type { InterruptOptions } from "../session/session-handle.ts";
import type { Transport } from "../transport/transport.ts";
import { readAgentOptions, type RepriseAgentOptions } from "./read-agent-options.ts";
import { AgUiThread } from "./ag-ui-thread.ts";
import { addInputHashes } from "./add-input-hashes.ts";
import { JoinFeed } from "./join-feed.ts";
import { RunFeed } from "./run-feed.ts";
import type { ShownFrame } from "./shown-frames.ts";
import { toResponse } from "./to-response.ts";

type RunParameters = Parameters<HttpAgent["runAgent"]>[0];
type Events = ReturnType<HttpAgent["run"]>;
type Feed = EventFeed<ShownFrame> & { readonly end: string | null };

/** The feed that a call of `runAgent` or `connectAgent` reads. */
interface Reading {
  readonly feed: Feed;
  readonly stop: AbortController;
}

/**
 * An agent of the platform, for every front end that takes an `HttpAgent`.
 *
 * Its members are not `#private`: `clone` makes its copy without the constructor, and such a copy has none.
 */
export class RepriseAgent extends HttpAgent {
  private options: Pick<RepriseAgentOptions, "agentId" | "onConnectionChange">;
  /** A function rather than a value, so that inspecting or logging the agent does not show the credential. */
  private openTransport: (agent: HttpAgent) => Transport;
  private transport: Transport;
  private thread: AgUiThread;
  /** By run id: an app may start the next run while the end of the previous one is still being emitted. */
  private readings = new Map<string, Reading>();
  /** The last frame of the thread's last run, while messages and state are those after it. */
  private cursor: string | null = null;
  private isConnecting = false;
  /** The abort controller of the newest call. */
  private usedController: AbortController;

  /** Sends no request. @throws {TypeError} when the credential, the base URL or the agent is missing. */
  constructor(options: RepriseAgentOptions) {
    super(readAgentOptions(options));
    const { agentId, onConnectionChange } = options;
    this.options = { agentId, onConnectionChange };
    this.openTransport = (agent) => transportOf(agent, options);
    this.transport = this.openTransport(this);
    this.usedController = this.abortController;
    this.thread = new AgUiThread(this.transport, options.agentId, this.threadId);
  }

  /** The thread's session; null until an answer has named it. */
  get sessionId(): string | null {
    return this.currentThread().sessionId;
  }

  /**
   * As in `HttpAgent`, with automatic reconnects. Rejects with an `ApiError`, which has `status` and `payload`, when
   * the platform refuses the run, and with a `ConnectionError` when the platform stays unreachable.
   *
   * `abortRun` stops reading only. The reply continues: {@link connectAgent} resumes reading, {@link interrupt} ends
   * it.
   */
  override runAgent(
    parameters?: RunParameters,
    subscriber?: AgentSubscriber,
  ): Promise<RunAgentResult> {
    const named = { ...parameters, runId: parameters?.runId ?? randomUUID() };
    return this.read(named.runId, () => super.runAgent(named, subscriber));
  }

  /**
   * Synchronises messages, state and open interrupts, and stays connected while the thread's reply runs. After a run
   * that this agent has read completely it requests the events since, otherwise a snapshot. A thread without a session
   * is empty.
   */
  override connectAgent(
    parameters?: RunAgentParameters,
    subscriber?: AgentSubscriber,
  ): Promise<RunAgentResult> {
    const named = { ...parameters, runId: parameters?.runId ?? randomUUID() };
    // Frameworks may set a controller before the call.
    if (this.abortController === this.usedController) this.abortController = new AbortController();
    return this.read(named.runId, async () => {
      try {
        this.isConnecting = true;
        return await super.connectAgent(named, subscriber);
      } finally {
        this.isConnecting = false;
      }
    });
  }

  override run(input: RunAgentInput): Events {
    const answering = addInputHashes(input, this.pendingInterrupts);
    const open = () => new RunFeed(this.currentThread(), enforceOutgoingInput(answering));
    return this.stream(input, open);
  }

  protected override connect(input: RunAgentInput): Events {
    const after = input.messages.length > 0 ? this.cursor : null;
    return this.stream(input, () => new JoinFeed(this.currentThread(), after));
  }

  /** Ends the running or waiting reply, of a fork when the newest run is in one; resolves when its end is stored; null when the thread has no session. */
  async interrupt({ queued, ...options }: InterruptOptions = {}): Promise<InterruptResult | null> {
    const thread = this.currentThread();
    if (thread.runSessionId === null) {
      const { close } = await thread.join(null, options.signal);
      close();
    }
    if (thread.runSessionId === null) return null;
    const path = ["sessions", thread.runSessionId, "interrupt"];
    return this.transport.call({ ...options, method: "POST", path, query: { queued } });
  }

  /** The agent's capabilities in AG-UI's shape. */
  override getCapabilities(): Promise<AgentCapabilities> {
    return this.transport.get(["agents", this.options.agentId, "ag-ui", "capabilities"]);
  }

  override setMessages(messages: Message[]): void {
    this.cursor = null;
    super.setMessages(messages);
  }

  override setState(state: State): void {
    this.cursor = null;
    super.setState(state);
  }

  override async detachActiveRun(): Promise<void> {
    const detached = super.detachActiveRun();
    [...this.readings.values()].at(-1)?.stop.abort();
    await detached;
  }

  override clone(): RepriseAgent {
    const clone = super.clone() as RepriseAgent;
    clone.options = this.options;
    clone.openTransport = this.openTransport;
    clone.transport = this.openTransport(clone);
    clone.thread = new AgUiThread(clone.transport, this.options.agentId, clone.threadId);
    clone.readings = new Map();
    clone.cursor = this.cursor;
    clone.isConnecting = false;
    clone.usedController = clone.abortController;
    return clone;
  }

  /** Open interrupts do not prevent connecting: another client may have answered them. */
  protected override onInitialize(
    input: RunAgentInput,
    subscribers: AgentSubscriber[],
  ): Promise<void> {
    if (!this.isConnecting) return super.onInitialize(input, subscribers);
    const open = this.pendingInterrupts;
    this.pendingInterrupts = [];
    try {
      return super.onInitialize(input, subscribers);
    } finally {
      this.pendingInterrupts = open;
    }
  }

  /** Read anew for each call, because an app may change the agent's thread. */
  private currentThread(): AgUiThread {
    if (this.thread.id !== this.threadId) {
      this.thread = new AgUiThread(this.transport, this.options.agentId, this.threadId);
      this.cursor = null;
    }
    return this.thread;
  }

  /** After a complete read, stores the position for the next `connectAgent`. */
  private async read(runId: string, act: () => Promise<RunAgentResult>): Promise<RunAgentResult> {
    this.currentThread();
    let hasResolved = false;
    try {
      const acting = act();
      this.usedController = this.abortController;
      const result = await acting;
      hasResolved = true;
      return result;
    } finally {
      const reading = this.readings.get(runId);
      this.readings.delete(runId);
      if (reading) {
        const isWhole = hasResolved && !reading.stop.signal.aborted;
        this.cursor = isWhole ? reading.feed.end : null;
        reading.stop.abort();
      }
    }
  }

  private stream({ runId }: RunAgentInput, open: () => Feed): Events {
    const stop = new AbortController();
    const { signal } = this.abortController;
    const openFrames = async () => {
      if (signal.aborted) stop.abort(signal.reason);
      else
        signal.addEventListener("abort", () => stop.abort(signal.reason), { signal: stop.signal });
      const feed = open();
      this.readings.set(runId, { feed, stop });
      const frames = readEvents(feed, {
        after: 0,
        reconnect: this.transport.settings.reconnect,
        signal: stop.signal,
        onConnectionChange: this.options.onConnectionChange,
      });
      return toResponse(frames, () => stop.abort());
    };
    return transformHttpEventStream(runHttpRequest(openFrames), this.debugLogger);
  }
}

/** Requests use the agent's own `fetch` and its headers at the time of the request. */
function transportOf(agent: HttpAgent, options: RepriseAgentOptions): Transport {
  return openTransport({
    ...options,
    fetch: (url, init) => {
      const headers = new Headers(agent.headers);
      new Headers(init.headers).forEach((value, name) => headers.set(name, value));
      return agent.fetch(url, { ...init, headers: Object.fromEntries(headers) });
    },
  });
}

// The protocol's own client, with what its transport lacks: a run outlives its connection, and a thread can be joined.
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

import type { InterruptResult } from "../../protocol/api/replies.ts";
import { readEvents, type EventFeed } from "../events/read-events.ts";
import { openTransport } from "../transport/open-transport.ts";
import type { InterruptOptions } from "../session/session-handle.ts";
import type { Transport } from "../transport/transport.ts";
import { readAgentOptions, type RepriseAgentOptions } from "./read-agent-options.ts";
import { AgUiThread } from "./ag-ui-thread.ts";
import { bringHashes } from "./bring-hashes.ts";
import { JoinFeed } from "./join-feed.ts";
import { RunFeed } from "./run-feed.ts";
import type { ShownFrame } from "./shown-frames.ts";
import { toResponse } from "./to-response.ts";

type RunParameters = Parameters<HttpAgent["runAgent"]>[0];
type Events = ReturnType<HttpAgent["run"]>;
type Feed = EventFeed<ShownFrame> & { readonly end: string | null };

/** What is being read for a call of `runAgent` or `connectAgent`. */
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
  /** Holds the credential, which whoever looks at an agent or logs it is not shown. */
  private openTransport: (agent: HttpAgent) => Transport;
  private transport: Transport;
  private thread: AgUiThread;
  /** By run: a page may start the next one while the last one's end is still being shown. */
  private readings = new Map<string, Reading>();
  /** The last frame of the thread's last run, while the messages and the state are what came of it. */
  private cursor: string | null = null;
  private isConnecting = false;
  /** By which the newest call is aborted, or was. */
  private usedController: AbortController;

  /** Sends nothing. @throws {TypeError} when the credential, the address or the agent is missing. */
  constructor(options: RepriseAgentOptions) {
    super(readAgentOptions(options));
    const { agentId, onConnectionChange } = options;
    this.options = { agentId, onConnectionChange };
    this.openTransport = (agent) => transportOf(agent, options);
    this.transport = this.openTransport(this);
    this.usedController = this.abortController;
    this.thread = new AgUiThread(this.transport, options.agentId, this.threadId);
  }

  /** The session that the thread is; null until the platform has said it. */
  get sessionId(): string | null {
    return this.currentThread().sessionId;
  }

  /**
   * As in `HttpAgent`, over as many connections as it takes. Rejects with an `ApiError`, which has `status` and
   * `payload`, when the platform refuses, and with a `ConnectionError` when it was not to be reached for too long.
   *
   * `abortRun` ends the reading. The reply goes on: {@link connectAgent} takes it up again, {@link interrupt} ends it.
   */
  override runAgent(
    parameters?: RunParameters,
    subscriber?: AgentSubscriber,
  ): Promise<RunAgentResult> {
    const named = { ...parameters, runId: parameters?.runId ?? randomUUID() };
    return this.read(named.runId, () => super.runAgent(named, subscriber));
  }

  /**
   * Brings messages, state and open interrupts up to date, and stays while the thread's reply runs. Where this agent
   * has seen a run to its end it asks for what came after it, otherwise for the conversation as it is. A thread that has
   * no session yet is empty.
   */
  override connectAgent(
    parameters?: RunAgentParameters,
    subscriber?: AgentSubscriber,
  ): Promise<RunAgentResult> {
    const named = { ...parameters, runId: parameters?.runId ?? randomUUID() };
    // Frameworks set one before the call, to abort by it.
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
    const answering = bringHashes(input, this.pendingInterrupts);
    const open = () => new RunFeed(this.currentThread(), enforceOutgoingInput(answering));
    return this.stream(input, open);
  }

  protected override connect(input: RunAgentInput): Events {
    const after = input.messages.length > 0 ? this.cursor : null;
    return this.stream(input, () => new JoinFeed(this.currentThread(), after));
  }

  /** Ends the reply that runs or waits, and resolves when its end is on disk; null when the thread has no session. */
  async interrupt({ queued, ...options }: InterruptOptions = {}): Promise<InterruptResult | null> {
    const thread = this.currentThread();
    if (thread.sessionId === null) {
      const { close } = await thread.join(null, options.signal);
      close();
    }
    if (thread.sessionId === null) return null;
    const path = ["sessions", thread.sessionId, "interrupt"];
    return this.transport.call({ ...options, method: "POST", path, query: { queued } });
  }

  /** What the platform's agent can do, as the protocol says it. */
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

  /** Interrupts that wait for an answer are no reason not to look whether somebody else has given it. */
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

  /** An app may give an agent another thread at any time. */
  private currentThread(): AgUiThread {
    if (this.thread.id !== this.threadId) {
      this.thread = new AgUiThread(this.transport, this.options.agentId, this.threadId);
      this.cursor = null;
    }
    return this.thread;
  }

  /** What was read to its end is where the next `connectAgent` goes on. */
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

/** All requests go through the agent's own `fetch`, and take its headers along as they are then. */
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

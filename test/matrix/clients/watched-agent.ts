// AG-UI's own client against the running platform, with every byte that it was sent.
import type { HttpAgent, AgentSubscriber, BaseEvent } from "@ag-ui/client";
import { expect, inject } from "vitest";

import { releasedClient } from "./released-clients.ts";

export type ClientMessage = HttpAgent["messages"][number];
export type ClientTool = NonNullable<RunParameters["tools"]>[number];
export type Resume = NonNullable<RunParameters["resume"]>;
type RunParameters = NonNullable<Parameters<HttpAgent["runAgent"]>[0]>;
type AgentConfig = ConstructorParameters<typeof HttpAgent>[0];

/** An event as it is on the wire. */
type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

export interface WireFrame {
  readonly id: string;
  readonly event: WireEvent;
}

export interface WatchedRun {
  readonly frames: readonly WireFrame[];
  /** Of the frames; one of several alike in a row. */
  readonly types: readonly string[];
  /** Events that the client told its subscribers. */
  readonly events: readonly BaseEvent[];
  /** The event that ended it. */
  readonly end: WireEvent;
  /** As the client derives them when the run has finished; of one that derives none, the calls without a result. */
  readonly pendingToolCallIds: readonly string[];
}

export interface WatchedAgent {
  readonly agent: HttpAgent;
  /** The thread's session, as the newest answer names it. */
  readonly sessionId: string;
  /** The newest reply that was shown. */
  readonly replyId: string;
  /** Whole text of the newest answer, as far as it was read. */
  readonly received: string;
  /**
   * One run, with checks that hold for every run: valid frames, nothing dropped by the client, one start and one end
   * under the client's own names. Rejects as the client does.
   */
  run(parameters?: RunParameters, subscriber?: AgentSubscriber): Promise<WatchedRun>;
  /** A run with a new message of the user. */
  say(content: string, parameters?: RunParameters): Promise<WatchedRun>;
  /** A run with the same answer to every open interrupt. */
  answerAll(payload: unknown): Promise<WatchedRun>;
}

export interface WatchOptions extends Partial<AgentConfig> {
  readonly key: string;
  readonly agentId: string;
}

/** A message's id has to be new to its thread, also where two clients talk in it. */
let saidCount = 0;

/** @param options With `fetch`, where a test stands between the client and the platform. */
export function watchAgent({ key, agentId, ...config }: WatchOptions): WatchedAgent {
  let newest = { received: "", sessionId: "", replyId: "" };
  const open = config.fetch ?? fetch;
  const agent = new (releasedClient().HttpAgent)({
    url: `${inject("baseUrl")}/v1/agents/${agentId}/ag-ui`,
    headers: { Authorization: `Bearer ${key}` },
    threadId: crypto.randomUUID(),
    ...config,
    async fetch(url, init) {
      const response = await open(url, init);
      const answer = {
        received: "",
        sessionId: response.headers.get("reprise-session-id") ?? "",
        replyId: response.headers.get("reprise-reply-id") ?? "",
      };
      newest = answer;
      const text = new TextDecoder();
      const body = response.body?.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(bytes, controller) {
            answer.received += text.decode(bytes, { stream: true });
            controller.enqueue(bytes);
          },
        }),
      );
      return new Response(body ?? null, response);
    },
  });

  async function run(parameters: RunParameters = {}, subscriber: AgentSubscriber = {}) {
    const runId = parameters.runId ?? crypto.randomUUID();
    const events: BaseEvent[] = [];
    const failures: Error[] = [];
    let pendingToolCallIds: readonly string[] = [];
    const { unsubscribe } = agent.subscribe({
      onEvent: ({ event }) => void events.push(structuredClone(event)),
      onRunFinishedEvent: (finished) => {
        if (finished.outcome !== "success") return;
        // The type is the newest client's.
        const { pendingToolCallIds: named }: Partial<typeof finished> = finished;
        pendingToolCallIds = named ?? openCallsOf(agent);
      },
      onRunFailed: ({ error }) => void failures.push(error),
    });
    try {
      await agent.runAgent({ ...parameters, runId }, subscriber);
    } finally {
      unsubscribe();
    }
    const frames = readFrames(newest.received);
    const end = frames.at(-1)?.event ?? { type: "nothing" };
    expect(failures).toEqual([]);
    expect(events).toEqual(frames.map(({ event }) => asReceived(event)));
    expectOneRun(frames, { threadId: agent.threadId, runId });
    return { frames, types: typesOf(frames), events, end, pendingToolCallIds };
  }

  return {
    agent,
    get received() {
      return newest.received;
    },
    get sessionId() {
      return newest.sessionId;
    },
    get replyId() {
      return newest.replyId;
    },
    run,
    async say(content, parameters) {
      saidCount += 1;
      agent.addMessage({ id: `said-${saidCount}`, role: "user", content });
      return run(parameters);
    },
    async answerAll(payload) {
      const resume = agent.pendingInterrupts.map(({ id }) => {
        return { interruptId: id, status: "resolved" as const, payload };
      });
      return run({ resume });
    },
  };
}

/**
 * The frames of a stream's text, each of which is `id`, `event` and one line of JSON that the protocol's schemas take
 * and leave as it is. Comments and `retry` are left out.
 */
export function readFrames(text: string): WireFrame[] {
  expect(text).not.toContain("\r");
  const blocks = text.split("\n\n");
  expect(blocks.pop()).toBe("");
  return blocks
    .filter((block) => !/^(?::.*|retry: \d+)$/.test(block))
    .map((block) => {
      const fields = /^id: (\d+(?:\.\d+)?)\nevent: (\w+)\ndata: (\{.*\})$/.exec(block);
      expect(fields, block).not.toBeNull();
      const [, id = "", type, data = ""] = fields ?? [];
      const event = JSON.parse(data) as WireEvent;
      expect(event.type).toBe(type);
      expect(releasedClient().parse(event), block).toEqual(event);
      return { id, event };
    });
}

/** The ids of the calls of a client's messages that have no result. */
function openCallsOf({ messages }: HttpAgent): readonly string[] {
  const ended = new Set(messages.map((message) => message.role === "tool" && message.toolCallId));
  return messages
    .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
    .flatMap(({ id }) => (ended.has(id) ? [] : [id]));
}

/** The event as subscribers get it: the old client writes a default of activities down. */
function asReceived(event: WireEvent): WireEvent {
  const isDefaulted = releasedClient().profile === "0.0" && event.type === "ACTIVITY_SNAPSHOT";
  return isDefaulted ? { ...event, replace: true } : event;
}

/** Types in order; one of several alike in a row. */
function typesOf(frames: readonly WireFrame[]): readonly string[] {
  const types = frames.map(({ event }) => event.type);
  return types.filter((type, index) => type !== types[index - 1]);
}

const ENDS = ["RUN_FINISHED", "RUN_ERROR"];

function expectOneRun(
  frames: readonly WireFrame[],
  names: { readonly threadId: string; readonly runId: string },
): void {
  const marks = frames.filter(({ event }) => ["RUN_STARTED", ...ENDS].includes(event.type));
  expect(marks).toEqual([frames[0], frames.at(-1)]);
  expect(marks[0]?.event).toMatchObject({ type: "RUN_STARTED", ...names });
  expect(ENDS).toContain(marks[1]?.event.type);
  if (marks[1]?.event.type === "RUN_FINISHED") expect(marks[1].event).toMatchObject(names);
}

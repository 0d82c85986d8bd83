// Moments at which a machine dies. The table in docs/testing/layers.md is made of this file.

/** The way in which a machine dies, or the fate of the next request that leaves it. */
export const WAYS = ["ctx.abort", "abortAllDurableObjects", "hung fetch"] as const;
export type Way = (typeof WAYS)[number];

export interface Scenario {
  readonly name: string;
  /** A script of the embedded model. */
  readonly script: string;
  /** The beginning of the count: with the reply, with the answer to what it waits for, or when a dead one wakes. */
  readonly from: "start" | "answer" | "recovery";
  /** `recovery`: the machine died at first before the first write of this name. */
  readonly firstDeath?: string;
  /** Tools that nobody has allowed: they ask. */
  readonly asks?: boolean;
  /** The model is a provider on the network, to whom a script is a message like any other. */
  readonly isModelRemote?: boolean;
  /** Members of its agent's definition; of the address of the effect server, where they name it. */
  readonly agent?: object | ((url: string) => object);
  /** Each of its sessions is of an end user of its own. */
  readonly isEndUsers?: true;
  /** An interrupt is the answer to what the reply waits for. */
  readonly isInterrupted?: boolean;
  /** A person denies what it asks, and says this. */
  readonly denialReason?: string;
  /** In which its machine dies; each when left out. */
  readonly ways?: readonly Way[];
  /** The end of the reply; completed when left out. */
  readonly ends?: "interrupted" | "exceed_max_iters";
  /** The durable writes that are counted, in their order, as the run without a crash makes them. */
  readonly writes: readonly string[];
}

/** Milliseconds that a tool and a provider may take where one of them hangs: each such run waits for all of it. */
const HANG_MS = 2_500;
/** And where nothing hangs: nothing ever takes that long. */
const PATIENCE_MS = 60_000;
const CALL = ["MODEL_CALL_START", "TOOL_CALL_START", "TOOL_CALL_END + MODEL_CALL_END"];
const END = "TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END";
const TOLD = ["delete outbox", "delete timers"];
const LAST = [END, ...TOLD];
const ANSWER = ["MODEL_CALL_START", "TEXT_BLOCK_START"];
const WORDS = "/rate 400\n/words 12";

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "text turn",
    from: "start",
    script: `/think Let me see.\n${WORDS}`,
    writes: [
      "message_added + REPLY_START",
      "MODEL_CALL_START",
      "THINKING_BLOCK_START",
      "THINKING_BLOCK_END",
      "TEXT_BLOCK_START",
      ...LAST,
    ],
  },
  {
    name: "text turn of a provider",
    from: "start",
    isModelRemote: true,
    script: "Tell me a story.",
    writes: ["message_added + REPLY_START", ...ANSWER, ...LAST],
  },
  {
    name: "default tool",
    from: "start",
    script: `/say I charge.\n/call charge {}\n${WORDS}`,
    writes: [
      "message_added + REPLY_START",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_END",
      "TOOL_CALL_START",
      "TOOL_CALL_END + MODEL_CALL_END",
      "TOOL_RESULT_START",
      "TOOL_RESULT_END",
      ...ANSWER,
      ...LAST,
    ],
  },
  {
    name: "idempotent tool",
    from: "start",
    script: `/say I reserve.\n/call reserve {}\n${WORDS}`,
    writes: [
      "message_added + REPLY_START",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_END",
      "TOOL_CALL_START",
      "TOOL_CALL_END + MODEL_CALL_END",
      "TOOL_RESULT_START",
      "TOOL_RESULT_END",
      ...ANSWER,
      ...LAST,
    ],
  },
  {
    name: "parallel tools",
    from: "start",
    script: "/call lookup {}\n/call charge_beside {}\n/call reserve_beside {}\n/say done",
    writes: [
      "message_added + REPLY_START",
      "MODEL_CALL_START",
      "TOOL_CALL_START",
      "TOOL_CALL_START",
      "TOOL_CALL_START",
      "TOOL_CALL_END + TOOL_CALL_END + TOOL_CALL_END + MODEL_CALL_END",
      "TOOL_RESULT_START",
      "TOOL_RESULT_START",
      "TOOL_RESULT_START",
      "TOOL_RESULT_END",
      "TOOL_RESULT_END",
      "TOOL_RESULT_END",
      ...ANSWER,
      ...LAST,
    ],
  },
  {
    name: "streamed tool result",
    from: "start",
    script: "/call stream_charge {}\n/then\n/call stream_reserve {}\n/say done",
    writes: [
      "message_added + REPLY_START",
      ...CALL,
      "TOOL_RESULT_START",
      "TOOL_RESULT_END",
      ...CALL,
      "TOOL_RESULT_START",
      "TOOL_RESULT_END",
      ...ANSWER,
      ...LAST,
    ],
  },
  {
    name: "a change of the shared state",
    from: "start",
    script: `/call update_shared_state {"patch":[{"op":"add","path":"/n","value":1}]}\n/say done`,
    writes: [
      "message_added + REPLY_START",
      ...CALL,
      "TOOL_RESULT_START + shared_state_updated + TOOL_RESULT_END",
      "HINT_BLOCK",
      ...ANSWER,
      ...LAST,
    ],
  },
  {
    name: "parked",
    from: "start",
    asks: true,
    script: "/say May I?\n/call charge {}\n/say done",
    writes: [
      "message_added + REPLY_START",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_END",
      "TOOL_CALL_START",
      "TOOL_CALL_END + MODEL_CALL_END",
      "REQUIRE_USER_CONFIRM",
      "update events",
      ...TOLD,
    ],
  },
  {
    name: "going on after a confirmation",
    from: "answer",
    asks: true,
    script: "/call charge {}\n/say done",
    writes: [
      "USER_CONFIRM_RESULT",
      "TOOL_RESULT_START",
      "delete outbox",
      "TOOL_RESULT_END",
      ...ANSWER,
      ...LAST,
    ],
  },
  {
    name: "an external result",
    from: "answer",
    script: "/call print_label {}\n/say done",
    writes: ["EXTERNAL_EXECUTION_RESULT + TOOL_RESULT_END", "delete outbox", ...ANSWER, ...LAST],
  },
  {
    name: "recovery of a model call",
    from: "recovery",
    firstDeath: END,
    script: `/think Let me see.\n${WORDS}`,
    writes: [
      "update replies",
      "reply_recovered + TEXT_BLOCK_END + MODEL_CALL_END",
      "update replies",
      "MODEL_CALL_START",
      "THINKING_BLOCK_START",
      "THINKING_BLOCK_END",
      "TEXT_BLOCK_START",
      ...LAST,
    ],
  },
  {
    name: "recovery of tools",
    from: "recovery",
    firstDeath: "TOOL_RESULT_END",
    script: "/call stream_charge {}\n/call charge_beside {}\n/call reserve_beside {}\n/say done",
    writes: [
      "update replies",
      "reply_recovered + TOOL_RESULT_END + TOOL_RESULT_END",
      "update replies",
      "TOOL_RESULT_END",
      ...ANSWER,
      ...LAST,
    ],
  },
];

/**
 * The agent of a scenario, its tools on the server that counts.
 * @param url Of the effect server. @param modelUrl Of the provider. @param way Null when no machine dies.
 */
export function scenarioAgent(
  { asks = false, isModelRemote = false, agent }: Scenario,
  { url, modelUrl, way }: { url: string; modelUrl: string; way: Way | null },
) {
  const limitMs = way === "hung fetch" ? HANG_MS : PATIENCE_MS;
  const http = { type: "http", timeout_ms: limitMs };
  const beside = { concurrency_safe: true };
  const idempotent = { idempotent: true };
  return {
    name: "Desk",
    shared_state: { enabled: true },
    ...(!asks && { permission: { mode: "bypass" } }),
    ...(isModelRemote && {
      model: { provider: "openai", name: "paced", base_url: modelUrl, stall_ms: limitMs },
    }),
    tools: [
      { ...http, name: "charge", url: `${url}/charge` },
      { ...http, name: "reserve", url: `${url}/reserve`, ...idempotent },
      { ...http, name: "lookup", url: `${url}/lookup`, read_only: true, ...beside },
      { ...http, name: "charge_beside", url: `${url}/charge`, ...beside },
      { ...http, name: "reserve_beside", url: `${url}/reserve`, ...beside, ...idempotent },
      { ...http, name: "stream_charge", url: `${url}/stream/charge`, ...beside },
      { ...http, name: "stream_reserve", url: `${url}/stream/reserve`, ...idempotent },
      { ...http, name: "charge_direct", url: `${url}/charge`, return_direct: true },
      { type: "external", name: "print_label" },
    ],
    ...(typeof agent === "function" ? (agent as (url: string) => object)(url) : agent),
  };
}

/** Whose effect may be asked for again, with the same key. */
export function isIdempotent(tool: string): boolean {
  return tool.includes("reserve");
}

/** Whether anything leaves the machine for a tool or a model, so that it can hang. */
export function sendsRequests({ script, isModelRemote = false }: Scenario): boolean {
  return isModelRemote || /\/call (?!print_label|update_shared_state)/.test(script);
}

// The refund desk as a client of AG-UI sees it.
import type { AgUiCapabilities } from "../protocol/api/ag-ui/ag-ui-capabilities.ts";
import type { Example } from "./document-types.ts";

const RUN = { threadId: "customer-17", runId: "0b9a4c52-7f0d-4a56-9a2b-1c9e52a1f0b3" };
const NEXT_RUN = { threadId: "customer-17", runId: "5f0d5c7e-3b52-4c39-8f11-0f2b8d7a9c64" };

const question = { id: "message-1", role: "user", content: "I want my money back for A-1003." };

const frames = [
  { type: "RUN_STARTED", ...RUN, protocolVersion: "1.0", timestamp: 1_795_253_400_000 },
  { type: "TEXT_MESSAGE_START", messageId: "blk_1", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "blk_1", delta: "One moment." },
  { type: "TEXT_MESSAGE_END", messageId: "blk_1" },
  { type: "RUN_FINISHED", ...RUN, outcome: { type: "success" } },
];

const capabilities: AgUiCapabilities = {
  identity: { name: "Refund desk", type: "reprise", version: "3" },
  transport: { streaming: true, websocket: false, httpBinary: false, resumable: true },
  tools: {
    supported: true,
    items: [
      {
        name: "refund_order",
        description: "Gives a customer's money back.",
        parameters: { type: "object", properties: { order_id: { type: "string" } } },
      },
    ],
    parallelCalls: true,
    clientProvided: true,
  },
  output: { structuredOutput: false },
  state: { snapshots: true, deltas: true, memory: false, persistentState: true },
  reasoning: { streaming: true },
  multimodal: { input: { image: true, audio: true, video: false, pdf: true, file: false } },
  execution: { codeExecution: false, maxIterations: 20 },
  humanInTheLoop: {
    supported: true,
    approvals: true,
    interventions: false,
    feedback: false,
    interrupts: true,
    approveWithEdits: true,
  },
};

export const AG_UI_EXAMPLES = {
  agUiRun: {
    summary: "A question, with a tool of the page's own",
    value: {
      ...RUN,
      messages: [question],
      tools: [
        {
          name: "show_label",
          description: "Shows a label to the customer.",
          parameters: { type: "object", properties: { number: { type: "string" } } },
        },
      ],
      context: [{ description: "The page that is open", value: "/orders/A-1003" }],
      state: {},
    },
  },
  agUiResume: {
    summary: "A person allows the call that waits",
    value: {
      ...NEXT_RUN,
      messages: [question],
      resume: [
        {
          interruptId: "rep_01kaj2vf3h8m2p6r0t4w7y1a5c:call_2",
          status: "resolved",
          payload: { approved: true },
        },
      ],
    },
  },
  agUiStream: {
    summary: "A short run",
    value: frames
      .map(
        (event, index) =>
          `id: ${41 + index}.1\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      )
      .join(""),
  },
  agUiCapabilities: { summary: "Of the refund desk", value: capabilities },
} as const satisfies Readonly<Record<string, Example>>;

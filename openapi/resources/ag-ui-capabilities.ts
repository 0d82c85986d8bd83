// An agent's capabilities in the form of AG-UI. Apart from `ag-ui.ts` for its size.
import { AgUiCapabilitiesSchema } from "../../protocol/ag-ui/ag-ui-capabilities.ts";
import type { AgUiCapabilities } from "../../protocol/ag-ui/ag-ui-capabilities.ts";
import type { Resource } from "../resource.ts";

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

export const AG_UI_CAPABILITIES = {
  operations: {
    readAgUiCapabilities: {
      tag: "AG-UI",
      summary: "Get an agent's capabilities in AG-UI's format",
      description:
        "Those of the agent's newest version; for a client token, of the version that its session runs.",
      answers: {
        200: {
          description: "The capabilities.",
          json: AgUiCapabilitiesSchema,
          examples: ["agUiCapabilities"],
        },
      },
    },
  },

  fieldDescriptions: {
    "AgUiCapabilities.execution": "How a reply runs.",
    "AgUiCapabilities.execution.codeExecution": "Whether the agent writes code and runs it.",
    "AgUiCapabilities.execution.maxExecutionTime":
      "Milliseconds that a reply may run, without the time that it waits; left out when there is no limit.",
    "AgUiCapabilities.execution.maxIterations": "Rounds of model call and tools.",
    "AgUiCapabilities.humanInTheLoop": "Interaction with people during a run.",
    "AgUiCapabilities.humanInTheLoop.approvals": "People may be asked whether a call may run.",
    "AgUiCapabilities.humanInTheLoop.approveWithEdits":
      "Whether the caller may change the call's input: a client token needs `edit` beside `confirm`.",
    "AgUiCapabilities.humanInTheLoop.feedback": "Whether people can rate messages.",
    "AgUiCapabilities.humanInTheLoop.interrupts": "Waiting calls are reported as interrupts.",
    "AgUiCapabilities.humanInTheLoop.interventions": "Whether people can take over during a run.",
    "AgUiCapabilities.humanInTheLoop.supported": "Whether any of these is supported.",
    "AgUiCapabilities.identity": "The agent that has these capabilities.",
    "AgUiCapabilities.identity.name": "The agent's name.",
    "AgUiCapabilities.identity.type": "The platform.",
    "AgUiCapabilities.identity.version": "The agent's version.",
    "AgUiCapabilities.multimodal": "Input beside text.",
    "AgUiCapabilities.multimodal.input":
      "The media that are passed to the model; whether the model supports them is not checked.",
    "AgUiCapabilities.multimodal.input.audio": "Audio.",
    "AgUiCapabilities.multimodal.input.file": "Files of any kind.",
    "AgUiCapabilities.multimodal.input.image": "Images.",
    "AgUiCapabilities.multimodal.input.pdf": "PDF documents.",
    "AgUiCapabilities.multimodal.input.video": "Video.",
    "AgUiCapabilities.output": "Output beside text.",
    "AgUiCapabilities.output.structuredOutput":
      "Whether replies have structured output, which is `result` of RUN_FINISHED.",
    "AgUiCapabilities.reasoning": "The model's thinking.",
    "AgUiCapabilities.reasoning.streaming": "Whether it is streamed.",
    "AgUiCapabilities.state": "The state that the app and the agent share.",
    "AgUiCapabilities.state.deltas": "Changes come as JSON Patches.",
    "AgUiCapabilities.state.memory": "Whether the agent remembers across threads.",
    "AgUiCapabilities.state.persistentState": "The state is kept between runs.",
    "AgUiCapabilities.state.snapshots": "Runs begin with the whole state, when there is one.",
    "AgUiCapabilities.tools": "Tools.",
    "AgUiCapabilities.tools.clientProvided": "A run may bring tools that its client runs.",
    "AgUiCapabilities.tools.items": "The agent's own tools.",
    "AgUiCapabilities.tools.items.description": "Its description for the model.",
    "AgUiCapabilities.tools.items.name": "The name by which the model calls it.",
    "AgUiCapabilities.tools.items.parameters": "JSON Schema of the call's input.",
    "AgUiCapabilities.tools.parallelCalls": "Several calls of one turn may run in parallel.",
    "AgUiCapabilities.tools.supported": "Whether the model calls tools at all.",
    "AgUiCapabilities.transport": "How clients are served.",
    "AgUiCapabilities.transport.httpBinary": "Whether there is a binary form.",
    "AgUiCapabilities.transport.resumable":
      "A stream that was disconnected continues after the last frame that was received.",
    "AgUiCapabilities.transport.streaming": "Events come as they happen.",
    "AgUiCapabilities.transport.websocket": "Whether there is a WebSocket.",
  },
  examples: {
    agUiCapabilities: { summary: "Of the refund desk", value: capabilities },
  },
} as const satisfies Resource;

// An agent's capabilities in the form of AG-UI. Apart from `ag-ui.ts` for its size.
import { AgUiCapabilitiesSchema } from "../../protocol/api/ag-ui/ag-ui-capabilities.ts";
import type { AgUiCapabilities } from "../../protocol/api/ag-ui/ag-ui-capabilities.ts";
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
      summary: "Read what an agent can do, in AG-UI's words",
      description:
        "Of the agent's newest version; for a client token of the version that its session runs.",
      answers: {
        200: {
          description: "The capabilities.",
          json: "AgUiCapabilities",
          examples: ["agUiCapabilities"],
        },
      },
    },
  },
  answerSchemas: {
    AgUiCapabilities: AgUiCapabilitiesSchema,
  },
  schemaDescriptions: {
    AgUiCapabilities: "What an agent can do, in the words of AG-UI's `AgentCapabilities`.",
  },
  fieldDescriptions: {
    "AgUiCapabilities.execution": "How a reply runs.",
    "AgUiCapabilities.execution.codeExecution": "Whether the agent writes code and runs it.",
    "AgUiCapabilities.execution.maxExecutionTime":
      "Milliseconds that a reply may run, waiting not counted; left out without a limit.",
    "AgUiCapabilities.execution.maxIterations": "Rounds of model call and tools.",
    "AgUiCapabilities.humanInTheLoop": "What people decide.",
    "AgUiCapabilities.humanInTheLoop.approvals": "People may be asked whether a call may run.",
    "AgUiCapabilities.humanInTheLoop.approveWithEdits":
      "They may change the call's input: true for who may edit, a client token with `edit` beside `confirm`.",
    "AgUiCapabilities.humanInTheLoop.feedback": "They may rate what was said.",
    "AgUiCapabilities.humanInTheLoop.interrupts": "What waits is told as interrupts.",
    "AgUiCapabilities.humanInTheLoop.interventions": "They may take over in the middle of a run.",
    "AgUiCapabilities.humanInTheLoop.supported": "Whether there is any of this.",
    "AgUiCapabilities.identity": "Whose capabilities these are.",
    "AgUiCapabilities.identity.name": "The agent's name.",
    "AgUiCapabilities.identity.type": "The platform.",
    "AgUiCapabilities.identity.version": "The agent's version.",
    "AgUiCapabilities.multimodal": "What goes in beside text.",
    "AgUiCapabilities.multimodal.input":
      "What is passed on to the model; whether it can make use of it is the model's affair.",
    "AgUiCapabilities.multimodal.input.audio": "Sounds.",
    "AgUiCapabilities.multimodal.input.file": "Files of any kind.",
    "AgUiCapabilities.multimodal.input.image": "Pictures.",
    "AgUiCapabilities.multimodal.input.pdf": "PDF documents.",
    "AgUiCapabilities.multimodal.input.video": "Films.",
    "AgUiCapabilities.output": "What comes out beside text.",
    "AgUiCapabilities.output.structuredOutput":
      "Whether replies fill in an object; it is `result` of RUN_FINISHED.",
    "AgUiCapabilities.reasoning": "What is shown of thoughts.",
    "AgUiCapabilities.reasoning.streaming": "They come as they are thought.",
    "AgUiCapabilities.state": "The state that the app and the agent share.",
    "AgUiCapabilities.state.deltas": "Changes come as JSON Patches.",
    "AgUiCapabilities.state.memory": "Whether the agent remembers across threads.",
    "AgUiCapabilities.state.persistentState": "The state is kept between runs.",
    "AgUiCapabilities.state.snapshots": "Runs begin with the whole state, when there is one.",
    "AgUiCapabilities.tools": "What the model may call.",
    "AgUiCapabilities.tools.clientProvided": "A run may bring tools that its client runs.",
    "AgUiCapabilities.tools.items": "The agent's own tools.",
    "AgUiCapabilities.tools.items.description": "What the model is told of it.",
    "AgUiCapabilities.tools.items.name": "The name by which the model calls it.",
    "AgUiCapabilities.tools.items.parameters": "JSON Schema of the call's input.",
    "AgUiCapabilities.tools.parallelCalls": "Several calls of one turn may run beside each other.",
    "AgUiCapabilities.tools.supported": "Whether the model calls tools at all.",
    "AgUiCapabilities.transport": "How clients are served.",
    "AgUiCapabilities.transport.httpBinary": "Whether there is a binary form.",
    "AgUiCapabilities.transport.resumable":
      "A stream that was cut goes on after the last frame that was seen.",
    "AgUiCapabilities.transport.streaming": "Events come as they happen.",
    "AgUiCapabilities.transport.websocket": "Whether there is a WebSocket.",
  },
  examples: {
    agUiCapabilities: { summary: "Of the refund desk", value: capabilities },
  },
} as const satisfies Resource;

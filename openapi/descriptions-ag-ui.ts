// Texts about what clients of AG-UI send and get.

export const AG_UI_SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  AgUiCapabilities: "What an agent can do, in the words of AG-UI's `AgentCapabilities`.",
  AgUiContext: "Something that the client tells the model.",
  AgUiEvent: "An event of AG-UI 1.0; docs/protocol.md says what becomes which.",
  AgUiEventStream:
    "Server-sent events. Each frame has `id:` (`<seq>.<k>`, a cursor), `event:` (the type) and `data:` (one AgUiEvent as JSON on one line). Comment lines are heartbeats.",
  AgUiMessage:
    "A message of the client's transcript. Of roles other than user and tool the id alone is read.",
  AgUiPart: "A piece of what a user says or a tool gave.",
  AgUiResume: "The answer to one interrupt.",
  AgUiSource: "Bytes in base64, or where they are.",
  AgUiTool: "A tool that the client runs itself.",
  RunAgentInput:
    "What AG-UI's clients send. Members that are not known are ignored, and null is taken as left out. Tools and context together may take 262,144 bytes as JSON.",
};

export const AG_UI_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
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
  "AgUiContext.description": "What it is.",
  "AgUiContext.value": "How it stands.",
  "AgUiEvent.timestamp": "Unix time in milliseconds; pieces of a text go without.",
  "AgUiResume.interruptId": "The interrupt's id.",
  "AgUiResume.metadata":
    "Only `agentscope.inputHash` is read: the hash of the input, brought back.",
  "AgUiResume.payload":
    "What was asked for, as the interrupt's `responseSchema` has it: `{approved, editedArgs?, rules?, inputHash?}` for a call that asks, else the call's result.",
  "AgUiResume.status": "`cancelled`: nobody answers; the call does not run, or has no result.",
  "AgUiTool.description": "Tells the model what the tool does.",
  "AgUiTool.name": "The name by which the model calls it; none of the agent's own tools has it.",
  "AgUiTool.parameters":
    "JSON Schema of the call's input; any object when left out. 64 KB at most; patterns may not refer back to their groups.",
  "RunAgent.context": "What the model is told for this run.",
  "RunAgent.messages":
    "The transcript as the client has it. What the server knows by its id is ignored.",
  "RunAgent.parentRunId": "The run that this one follows: the newest of its thread.",
  "RunAgent.resume": "Answers to the open interrupts, all of them.",
  "RunAgent.runId": "The client's own id of the run; sent again it is the same run.",
  "RunAgent.state":
    "The shared state as the client has it. It is taken when the client is up to date, and otherwise corrected.",
  "RunAgent.threadId": "A session's id, or a name of the client's own.",
  "RunAgent.tools": "Tools that the client runs itself.",
};

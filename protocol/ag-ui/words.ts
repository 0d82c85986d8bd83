// Words of fields that the schemas of this room have.
export const AG_UI_WORDS = {
  "AgUiContext.description": "What it is.",
  "AgUiContext.value": "How it stands.",
  "AgUiEvent.timestamp": "Unix time in milliseconds; deltas of a text have none.",
  "AgUiResume.interruptId": "The interrupt's id.",
  "AgUiResume.metadata":
    "Only `agentscope.inputHash` is read: the hash of the input, as the interrupt had it.",
  "AgUiResume.payload":
    "The response, as the interrupt's `responseSchema` describes it: `{approved, editedArgs?, rules?, reason?, inputHash?}` for a call that asks, else the call's result.",
  "AgUiResume.status": "`cancelled`: there is no answer; the call does not run, or has no result.",
  "AgUiTool.description": "Tells the model what the tool does.",
  "AgUiTool.name":
    "The name by which the model calls it; it must differ from those of the agent's own tools.",
  "AgUiTool.parameters":
    "JSON Schema of the call's input; any object when left out. 64 KB at most; patterns may not refer back to their groups.",
  "RunAgent.context": "Context for the model in this run.",
  "RunAgent.messages":
    "The transcript as the client has it. Messages whose id the server knows are ignored.",
  "RunAgent.parentRunId": "The previous run: the newest of the thread.",
  "RunAgent.protocolVersion":
    "The version of AG-UI that the client speaks, `0.x` or `1.x`, in which the run is written; left out by clients of before 1.0.",
  "RunAgent.forwardedProps":
    "Of any shape, and ignored but for `__proxiedMCPRequest`, which reads a page of an MCP server in place of a run.",
  "RunAgent.resume": "Answers to the open interrupts, all of them.",
  "RunAgent.runId":
    "The client's own id of the run; sent again with nothing new it is the same run, else its next part.",
  "RunAgent.state":
    "The shared state as the client has it. It is applied when the client is up to date; otherwise the client gets the server's state.",
  "RunAgent.threadId": "A session's id, or a name of the client's own.",
  "RunAgent.tools": "Tools that the client runs itself.",
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
  "AgUiCapabilities.multiAgent":
    "The other agents that it calls as tools; left out when there is none.",
  "AgUiCapabilities.multiAgent.delegation":
    "It gives them a part of its work, and goes on with it.",
  "AgUiCapabilities.multiAgent.handoffs": "Whether it can leave the conversation to another agent.",
  "AgUiCapabilities.multiAgent.subagents": "The agents that it may call.",
  "AgUiCapabilities.multiAgent.subagents.description": "The tool's description for the model.",
  "AgUiCapabilities.multiAgent.subagents.name": "The name of the tool that calls it.",
  "AgUiCapabilities.multiAgent.supported": "Whether it works with other agents.",
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
} as const;

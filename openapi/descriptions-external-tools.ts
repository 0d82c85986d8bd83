// What the document says about tools that somebody outside runs, and about how long calls wait.

export const EXTERNAL_TOOL_SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ExternalTool:
    "A tool that an app or a system outside runs: the call waits until somebody posts its result.",
};

export const EXTERNAL_TOOL_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  confirmation_ttl:
    "Seconds that a person has to answer whether a call may run; after that it is denied. A day when left out.",
  "ExternalTool.concurrency_safe":
    "Its calls may be handed out beside other calls of the same turn.",
  "ExternalTool.description": "Tells the model what the tool does.",
  "ExternalTool.idempotent": "Doing it twice for the same call id is doing it once.",
  "ExternalTool.input_schema": "JSON Schema of the call's input: an object, 64 KB at most.",
  "ExternalTool.name": "The name by which the model calls it.",
  "ExternalTool.read_only": "It looks and changes nothing: it is handed out without asking.",
  "ExternalTool.result_ttl":
    "Seconds after which a call without a result fails; it waits for ever when left out.",
};

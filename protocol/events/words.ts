// Words of fields that the schemas of this room have.
export const EVENT_WORDS = {
  block_id: "The block that the event is about.",
  delta: "The next piece of the text; join the pieces of a block.",
  model_name: "The model that is called.",
  seq: "A number that only grows within the session and is never given twice; the SSE id.",
  tool_call_name: "The tool that is called.",
  tool_calls: "The waiting calls.",
  visibility: "For user interfaces only; it has no effect on the model's context.",
  "CustomEvent.value": "What the event carries, by its name.",
  "DataBlockDeltaEvent.data": "The next bytes in base64; exactly one of data and url is given.",
  "DataBlockDeltaEvent.url": "The address of the bytes; exactly one of data and url is given.",
  "HintBlockEvent.hint": "The hint.",
  "JavaEvent.createdAt": "When it happened.",
  "JavaEvent.replyId": "The reply that it is about; absent when it is about none.",
  "TextBlockEndEvent.text":
    "When not null it replaces all deltas; an empty text removes the block.",
  "ToolResultDataDeltaEvent.data": "Bytes in base64; exactly one of data and url is given.",
  "ToolResultDataDeltaEvent.url": "The address of the bytes; exactly one of data and url is given.",
  applied: "False when the same answer was accepted before.",
  "ConfirmResult.confirmed": "Whether the call may run.",
  "ConfirmResult.reason":
    "Why. The model is told the reason of a denial, which the result has in `metadata.denial_reason` too.",
  "ExternalExecutionResultEvent.execution_results": "Results of the calls that waited.",
  "ExternalExecutionResultEvent.id": "The client's own id of the event.",
  "UserConfirmResultEvent.confirm_results": "The answers, one for each call.",
  "EventReceipt.cursor": "The position before the event: a stream from here shows what followed.",
  "EventReceipt.reply":
    "The reply right after the event was durable, a called agent's where the event was for that; null for an interrupt where nothing ran.",
} as const;

// The content blocks of messages: text, thinking, data, hints, tool calls and their results.
import type { Resource } from "../resource.ts";

export const CONTENT_BLOCKS = {
  fieldDescriptions: {
    media_type: "The media type of the bytes, such as image/png.",
    state: "How far it has come.",
    "Base64Source.data":
      "The bytes in base64. In a request white space, url-safe letters, missing padding and a `data:` prefix are put right.",
    "DataBlock.source": "The bytes, or their address.",
    "HintBlock.hint": "The hint.",
    "TextBlock.text": "The text.",
    "ThinkingBlock.thinking": "The text of the thinking.",
    "ToolCallBlock.signature":
      "The provider's proof of the thinking behind the call, which goes back to it; opaque.",
    "ToolCallBlock.input": "The JSON text that the model wrote; it may be incomplete or invalid.",
    "ToolCallBlock.name": "The tool that is called.",
    "ToolResultBlock.name": "The tool that was called.",
    "ToolResultBlock.output": "The output of the tool.",
  },
} as const satisfies Resource;

// The content blocks of messages: text, thinking, data, hints, tool calls and their results.
import { MediaBlockSchema, MediaUrlSourceSchema } from "../../protocol/files/media-blocks.ts";
import {
  Base64SourceSchema,
  ContentBlockSchema,
  DataBlockSchema,
  HintBlockSchema,
  TextBlockSchema,
  TextOrDataBlockSchema,
  ThinkingBlockSchema,
  ToolCallBlockSchema,
  ToolResultBlockSchema,
  UrlSourceSchema,
} from "../../protocol/messages/blocks.ts";
import type { Resource } from "../resource.ts";

export const CONTENT_BLOCKS = {
  requestSchemas: {
    TextBlockInput: TextBlockSchema,
    DataBlockInput: DataBlockSchema,
    MediaBlockInput: MediaBlockSchema,
    MediaUrlSource: MediaUrlSourceSchema,
    Base64Source: Base64SourceSchema,
    UrlSource: UrlSourceSchema,
  },
  answerSchemas: {
    ContentBlock: ContentBlockSchema,
    TextBlock: TextBlockSchema,
    ThinkingBlock: ThinkingBlockSchema,
    DataBlock: DataBlockSchema,
    TextOrDataBlock: TextOrDataBlockSchema,
    HintBlock: HintBlockSchema,
    ToolCallBlock: ToolCallBlockSchema,
    ToolResultBlock: ToolResultBlockSchema,
    Base64Source: Base64SourceSchema,
    UrlSource: UrlSourceSchema,
  },
  schemaDescriptions: {
    ContentBlock: "What a message is made of.",
    HintBlock: "Text for the model that is not from the end user.",
    ToolCallBlock: "A call that the model made. `input` is the JSON text that it wrote.",
    ToolResultBlock: "The result of a call; its id is the call's.",
    Base64Source: "Bytes, in the block itself.",
  },
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

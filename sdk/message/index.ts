// `@reprise/sdk/message`: messages that take events, with the names that AgentScope's TypeScript package has.
export { AssistantMsg, Msg, SystemMsg, UserMsg } from "./msg.ts";
export { EventType } from "../../protocol/event-type.ts";

export type {
  MessageContent,
  MessageInit,
  MessageOptions,
} from "../../protocol/messages/constructors.ts";
export type { ContentBlockOf } from "../../protocol/messages/accessors.ts";
export type {
  Base64Source,
  ContentBlock,
  ContentBlockInput,
  ContentBlockType,
  DataBlock,
  HintBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolCallState,
  ToolResultBlock,
  ToolResultState,
  UrlSource,
} from "../../protocol/messages/blocks.ts";
export type { ErrorInfo, FinishedReason, Usage } from "../../protocol/messages/messages.ts";
export type { Role } from "../../protocol/messages/role.ts";
export type { AgentEvent, EventOf, LoggedEvent } from "../../protocol/events.ts";
export type * from "./event-names.ts";

import {
  AuiIf,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  type ToolCallMessagePartProps,
} from "@assistant-ui/react";

import { Approvals } from "./approvals.tsx";
import type { Connection } from "./back-end.ts";

export function Thread({ connection }: { readonly connection: Connection }) {
  return (
    <ThreadPrimitive.Root className="thread">
      <ThreadPrimitive.Viewport className="viewport">
        <ThreadPrimitive.Messages components={{ UserMessage, AssistantMessage }} />
        <Approvals connection={connection} />
      </ThreadPrimitive.Viewport>
      <ComposerPrimitive.Root className="composer">
        <ComposerPrimitive.Input placeholder="Write a message" aria-label="Message" />
        <AuiIf condition={({ thread }) => !thread.isRunning}>
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </AuiIf>
        <AuiIf condition={({ thread }) => thread.isRunning}>
          <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
        </AuiIf>
      </ComposerPrimitive.Root>
    </ThreadPrimitive.Root>
  );
}

function UserMessage() {
  return (
    <MessagePrimitive.Root className="user">
      <MessagePrimitive.Parts />
    </MessagePrimitive.Root>
  );
}

function AssistantMessage() {
  return (
    <MessagePrimitive.Root className="assistant">
      <MessagePrimitive.Parts components={{ tools: { Fallback: ToolCall } }} />
    </MessagePrimitive.Root>
  );
}

function ToolCall({ toolName, argsText }: ToolCallMessagePartProps) {
  return (
    <p className="tool">
      {toolName} {argsText}
    </p>
  );
}

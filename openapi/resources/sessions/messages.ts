// Messages of a session.
import { ObservedSchema, ObserveSchema } from "../../../protocol/sessions/observe.ts";
import { MessagePageSchema, ReadMessageSchema } from "../../../protocol/sessions/contract.ts";
import { PageQuerySchema } from "../../../protocol/schemas/common.ts";
import type { Resource } from "../../resource.ts";

export const MESSAGES = {
  tags: {
    Messages: "The conversation, folded from its events.",
  },
  operations: {
    listMessages: {
      tag: "Messages",
      summary: "List a session's messages",
      description: [
        "The newest page first; inside a page the oldest message first. A message of more than 9,000,000 bytes comes with",
        "an empty `content` and `metadata.omitted: {bytes}`: read it by itself.",
      ].join(" "),
      query: PageQuerySchema,
      answers: { 200: { description: "A page of messages.", json: MessagePageSchema } },
    },
    readMessage: {
      tag: "Messages",
      summary: "Get a message",
      description:
        "The message, whole however large, with the stream position that it is folded to.",
      answers: { 200: { description: "The message.", json: ReadMessageSchema } },
    },
    observe: {
      tag: "Messages",
      summary: "Add messages without starting a reply",
      description: [
        "The model sees them in the next reply. Message ids have the same meaning as in a reply's input: the same id with",
        "the same content adds nothing. While a reply runs or waits no new message can be added.",
      ].join(" "),
      request: { json: ObserveSchema, examples: ["observedMessage"] },
      answers: { 201: { description: "The messages as they are stored.", json: ObservedSchema } },
      errors: [
        "reply_running",
        "reply_awaiting",
        "message_conflict",
        "hook_blocked",
        "hook_failed",
      ],
    },
  },
  pathParameters: {
    message_id: "The message; an assistant's has its reply's id.",
  },

  fieldDescriptions: {
    finished_reason: "Why it ended, or null while it runs.",
    role: "The role of the message's author.",
    usage: "Tokens so far, or null before the first model call has ended.",
    "ErrorInfo.message":
      "A fixed text for each type; where a credential is the reason, with its id.",
    "ErrorInfo.type":
      "`output_limit`: the reply reached the limit of its size. More types may be added; treat an unknown one as `unknown`.",
    "FoldedMsg.message": "The message.",
    "InputMessage.content": "Text, or blocks of text and data.",
    "InputMessage.id":
      "The client's own id of the message. Sent again with the same content it starts no second reply.",
    "InputMessage.structured_output": "Ignored.",
    "Msg.content": "The blocks, in the order in which they began.",
    "Msg.metadata":
      "Labels of the message's author. `omitted: {bytes}` says that the content is left out, because it is too large for this answer.",
    "Msg.name": "The author's name.",
    "Msg.structured_output": "The value that the agent gave for the requested schema, or null.",
    "Observe.messages": "A text, a message, messages, or blocks of text and data.",
    "Observed.messages": "The messages, in the order of the request.",
  },
  examples: {
    observedMessage: {
      summary: "A note of the shop's",
      value: {
        messages: { id: "shop-note-1", name: "shop", content: "The parcel came back today." },
      },
    },
  },
} as const satisfies Resource;

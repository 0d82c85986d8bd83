// Types of what is read with the option `format`: messages, replies and waiting calls in the forms of other dialects.
import type {
  AgentScope1Confirmation,
  Confirmation,
  JavaConfirmation,
} from "../../protocol/confirmations/contract.ts";
import type { MessageFormat } from "../../protocol/dialects/dialects.ts";
import type { AgentScope1Msg, JavaMsg } from "../../protocol/messages/message-forms.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { AgentScope1Reply, JavaReply } from "../../protocol/replies/reply-forms.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import type { MessagePage, StoredMessage } from "../../protocol/sessions/contract.ts";
import type {
  AgentScope1MessagePage,
  AgentScope1StoredMessage,
  JavaMessagePage,
  JavaStoredMessage,
} from "../../protocol/sessions/message-forms.ts";
import type { Paged } from "../transport/paged.ts";

export type { MessageFormat } from "../../protocol/dialects/dialects.ts";
export type * from "../../protocol/messages/message-forms.ts";
export type { AgentScope1Reply, JavaReply } from "../../protocol/replies/reply-forms.ts";

/** Answers of the platform in each form. */
interface Forms extends Record<MessageFormat, object> {
  readonly agentscope: {
    readonly messages: Paged<Msg, MessagePage>;
    readonly message: StoredMessage;
    readonly reply: Reply;
    readonly confirmation: Confirmation;
  };
  readonly "agentscope-1": {
    readonly messages: Paged<AgentScope1Msg, AgentScope1MessagePage>;
    readonly message: AgentScope1StoredMessage;
    readonly reply: AgentScope1Reply;
    readonly confirmation: AgentScope1Confirmation;
  };
  readonly "agentscope-java": {
    readonly messages: Paged<JavaMsg, JavaMessagePage>;
    readonly message: JavaStoredMessage;
    readonly reply: JavaReply;
    readonly confirmation: JavaConfirmation;
  };
}

export type MessagesIn<Format extends MessageFormat> = Forms[Format]["messages"];
export type StoredMessageIn<Format extends MessageFormat> = Forms[Format]["message"];
export type ReplyIn<Format extends MessageFormat> = Forms[Format]["reply"];
export type ConfirmationIn<Format extends MessageFormat> = Forms[Format]["confirmation"];

/** An option of reads. */
export interface FormOption<Format extends MessageFormat> {
  /** The form of the messages and calls; the native one, `agentscope`, when left out. */
  readonly format?: Format;
}

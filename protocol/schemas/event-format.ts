// The parameter `format`: the dialect of an answer.
import * as z from "zod";

import {
  ANSWER_FORMATS,
  asMessageFormat,
  EVENT_FORMATS,
  LOG_FORMAT,
  MESSAGE_FORMATS,
} from "../dialects/dialects.ts";
import { PageQuerySchema } from "./common.ts";

/** Dialects in which a session's events can be read. */
export const EventFormatSchema = z.enum(EVENT_FORMATS).default(LOG_FORMAT);

/** Dialects in which stored messages, replies and waiting calls can be read. */
export const MessageFormatSchema = z
  .enum(MESSAGE_FORMATS, {
    error: ({ input }) =>
      EVENT_FORMATS.some((format) => format === input && asMessageFormat(format) === null)
        ? `${String(input)} has no form of stored messages, only a stream: ask for the events with \`Accept: text/event-stream\``
        : undefined,
  })
  .default(LOG_FORMAT);

/** Dialects of an answer that is the events of a reply, or the whole reply. */
export const AnswerFormatSchema = z.enum(ANSWER_FORMATS).default(LOG_FORMAT);

/** The words of the parameter at reads of messages, replies and waiting calls. */
export const MESSAGE_FORMAT_WORDS =
  "The form of the messages and calls: `agentscope` is the log's own, `agentscope-1` that of AgentScope 1.x, and `agentscope-java` that of AgentScope for Java. All else, also the pages, is the same in each.";

/** The words of the parameter where the answer is a stream or a whole reply. */
export const ANSWER_FORMAT_WORDS =
  "The dialect of the answer. Of a stream: `agentscope`, the log's own, `agentscope-java` or `ag-ui`. Of a whole reply: `agentscope`, `agentscope-1` or `agentscope-java`; with `ag-ui` it is the native one.";

/** The query of a read of one message or reply. */
export const FormQuerySchema = z.object({ format: MessageFormatSchema });

/** The query of a list of messages, replies or waiting calls. */
export const FormPageQuerySchema = PageQuerySchema.extend({ format: MessageFormatSchema });

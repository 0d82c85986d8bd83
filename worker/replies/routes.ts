import { pickModelOptions } from "../../protocol/models/model-options.ts";
import { LOG_FORMAT } from "../../protocol/dialects/dialects.ts";
import { formOf, replyInForm } from "../../protocol/dialects/message-forms.ts";
import { FormPageQuerySchema, FormQuerySchema } from "../../protocol/schemas/event-format.ts";
import type { InterruptResult } from "../../protocol/replies/contract.ts";
import {
  InterruptQuerySchema,
  ReplyCreateQuerySchema,
  ReplyCreateSchema,
} from "../../protocol/replies/contract.ts";
import { REPLY_ID_HEADER } from "../../protocol/routes.ts";
import { REPLY_WAIT_MS } from "../../protocol/replies/limits.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { checkClientInput } from "../auth/check-client-input.ts";
import { mediaPlace } from "../files/media-place.ts";
import { settleMedia } from "../files/settle-media.ts";
import { replyForm, requireEvents } from "../sessions/answer-form.ts";
import { acceptsEventStream, fetchEventStream } from "../sessions/event-stream.ts";
import { unwrap } from "../http-error.ts";
import { actOnSession, actOptions, tryActOnSession } from "../sessions/act-on-session.ts";
import { unwrapOnce } from "../sessions/idempotent-session.ts";
import { lastEventId } from "../requests/last-event-id.ts";
import { pathId } from "../middleware/check-path.ts";
import { normalizeReplyBody } from "../requests/normalize-input.ts";
import { readerOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";
import { requireStream, shownReply } from "../sessions/shown-reply.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";
import { startsInOneCall, startStream, type StartedStream } from "../sessions/start-stream.ts";

/** Three ways to wait for a reply: a stream, no wait, or until it has ended or waits for an answer. */
const createReply: RouteHandler = async (context) => {
  const { format } = readQuery(context, ReplyCreateQuerySchema);
  const body = await readBody(context, ReplyCreateSchema, normalizeReplyBody);
  const { stream, background, on_busy, structured_schema } = body;
  const model_options = pickModelOptions(body);
  const start = {
    input: body.input,
    on_busy,
    structured_schema,
    ...(model_options && { model_options }),
  };
  const principal = context.get("principal");
  checkClientInput(principal, start);
  const isStreamed = !background && (stream ?? acceptsEventStream(context.req.header("Accept")));
  const streamFormat = isStreamed ? requireEvents(format) : LOG_FORMAT;
  if (isStreamed) requireStream(principal, streamFormat);
  const input = await settleMedia(
    context,
    mediaPlace(context, pathId(context, "session_id")),
    start.input,
    "#/input",
  );
  const payload = { ...start, input };
  if (isStreamed && startsInOneCall(context)) {
    const range = { format: streamFormat, ...readerOf(context) };
    const options = actOptions(context);
    const stub = pathSessionStub(context);
    const streamed = await startStream(stub, { act: "startReply", payload, options, range });
    if (streamed) return answerStart(context, streamed);
  }
  const started = await actOnSession(context, "startReply", payload);
  const headers = replyHeaders(context, started.id);
  const form = replyForm(format);
  if (background) return accepted(context, replyInForm(started, form), headers);
  if (isStreamed) {
    const range = {
      // A repeated request: the reader may have received a part.
      after: (context.get("isReplayed") && lastEventId(context, streamFormat)) || started.cursor,
      format: streamFormat,
      reply_id: started.id,
      ...readerOf(context),
    };
    // A refusal names the reply too: it runs whether its stream is read or not.
    return unwrap(await fetchEventStream(pathSessionStub(context), range, headers), headers);
  }
  const reply = unwrap(
    await tryActOnSession(context, "readReply", { reply_id: started.id, wait_ms: REPLY_WAIT_MS }),
    headers,
  );
  if (reply.status === "running") {
    return accepted(context, replyInForm(started, form), headers);
  }
  return context.json(replyInForm(reply, form), 200, { [REPLY_ID_HEADER]: reply.id });
};

/** A refusal of the stream names the reply too: it runs whether its stream is read or not. */
async function answerStart(context: AppContext, streamed: StartedStream): Promise<Response> {
  if (!streamed.ok) return unwrapOnce(context, streamed);
  if (streamed.is_replayed) context.set("isReplayed", true);
  const headers = replyHeaders(context, streamed.reply_id);
  return unwrap(await streamed.stream(headers), headers);
}

function replyHeaders(context: AppContext, replyId: string): Record<string, string> {
  return {
    [REPLY_ID_HEADER]: replyId,
    Location: `/v1/sessions/${pathId(context, "session_id")}/replies/${replyId}`,
  };
}

/** `started` has the cursor before `REPLY_START`: reading from there misses nothing. */
function accepted(context: AppContext, started: object, headers: Record<string, string>): Response {
  return context.json(started, 202, headers);
}

const listReplies: RouteHandler = async (context) => {
  const { format, ...request } = readQuery(context, FormPageQuerySchema);
  const page = await actOnSession(context, "listReplies", request);
  const form = formOf(format);
  return context.json({ ...page, data: page.data.map((reply) => replyInForm(reply, form)) });
};

const readReply: RouteHandler = async (context) => {
  const { format } = readQuery(context, FormQuerySchema);
  const payload = { reply_id: pathId(context, "reply_id"), wait_ms: 0 };
  const reply = await actOnSession(context, "readReply", payload);
  return context.json(replyInForm(reply, formOf(format)));
};

const readDiagnostics: RouteHandler = async (context) =>
  context.json(
    await actOnSession(context, "readDiagnostics", { reply_id: pathId(context, "reply_id") }),
  );

/** Responds when `REPLY_END` is durable, or at once when nothing is running. */
const interrupt: RouteHandler = async (context) => {
  const { queued, format } = readQuery(context, InterruptQuerySchema);
  const done = await actOnSession(context, "interrupt", { queued });
  const reply = shownReply(context.get("principal"), done.reply);
  const shown = { ...done, reply } satisfies InterruptResult;
  return context.json({ ...shown, reply: reply && replyInForm(reply, formOf(format)) });
};

export const replyRoutes = { createReply, listReplies, readReply, readDiagnostics, interrupt };

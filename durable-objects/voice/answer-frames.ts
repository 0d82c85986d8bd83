// Frames that answer calls: they are posted events, with the rights of who speaks.
import type * as z from "zod";

import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { PostedConfirmationSchema, PostedExecutionSchema } from "../../protocol/events/contract.ts";
import type { ClientFrame } from "../../protocol/voice/frames.ts";
import { postEvent } from "../acts/events.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { VoiceAttachment } from "./voice-attachment.ts";

type AnswerFrame = Extract<ClientFrame, { type: "confirm" | "external_result" }>;

const NO_MEDIA =
  "a result with media is posted to POST /v1/sessions/{session_id}/events, which stores files";

/** Resolves when the answer is durable. */
export async function takeAnswerFrame(
  session: OpenSession,
  { type, ...answer }: AnswerFrame,
  { actor, rights }: Pick<VoiceAttachment, "actor" | "rights">,
): Promise<Result<unknown>> {
  if (type === "confirm") {
    if (!rights.may_confirm) return lacks("confirm");
    const event = { type: "USER_CONFIRM_RESULT", ...answer };
    return postEvent(session, PostedConfirmationSchema.parse(event), actor);
  }
  if (!rights.may_give_results) return lacks("tool_result");
  const event = PostedExecutionSchema.parse({ type: "EXTERNAL_EXECUTION_RESULT", ...answer });
  if (hasMedia(event)) return refuse("validation_failed", NO_MEDIA);
  const posted = await postEvent(session, event, actor);
  return posted.ok ? accept(null) : posted;
}

/** Results with more than text are stored by routes alone, which settle files. */
export function hasMedia({
  execution_results,
}: Pick<z.infer<typeof PostedExecutionSchema>, "execution_results">): boolean {
  return execution_results.some(
    ({ output }) => typeof output !== "string" && output.some((block) => block.type !== "text"),
  );
}

function lacks(verb: "confirm" | "tool_result"): Result<never> {
  return refuse("verb_missing", `the credential lacks the right to ${verb}`, {
    extensions: { required_verb: verb },
  });
}

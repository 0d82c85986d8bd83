// Questions of a waiting task, as its status says them: for people in words, for programs behind our extension.
import type { A2aQuestion } from "../../a2a/extension.ts";
import type { PendingCall } from "../../replies/contract.ts";
import type { ShownElicitation } from "../../mcp/elicitation.ts";
import { utf8Bytes } from "../../utf8-bytes.ts";
import { MAX_A2A_QUESTION_CHARACTERS } from "./limits.ts";

/** A call that waits, as far as a question needs it. */
export type AskedCall = Pick<
  PendingCall,
  | "kind"
  | "tool_call"
  | "input_hash"
  | "expires_at"
  | "question"
  | "elicitation"
  | "authorization"
  | "omitted"
>;

/** The questions of calls that wait, in their order; arguments that do not fit are left out, then whole questions. */
export function questionsOf(asked: readonly AskedCall[]): readonly A2aQuestion[] {
  let room = MAX_A2A_QUESTION_CHARACTERS;
  return asked.flatMap((call) => {
    const question = questionOf(call);
    // The next status has a question that is left out, when others are answered.
    for (const shown of [question, withoutArguments(question)]) {
      const { length } = JSON.stringify(shown);
      if (length > room) continue;
      room -= length;
      return [shown];
    }
    return [];
  });
}

/** The question without arguments, and without the hash: it proves what was shown. */
function withoutArguments({ input_hash: _, ...question }: A2aQuestion): A2aQuestion {
  const omitted = question.omitted ?? { bytes: utf8Bytes(question.arguments) };
  return { ...question, arguments: "", omitted };
}

function questionOf(asked: AskedCall): A2aQuestion {
  const { tool_call, expires_at, question, elicitation, authorization, omitted } = asked;
  const call = {
    call_id: tool_call.id,
    tool: tool_call.name,
    arguments: tool_call.input,
    ...(omitted && { omitted }),
  };
  const expires = expires_at !== null && { expires_at };
  if (authorization) {
    const message = `A sign-in is needed before ${tool_call.name} runs.`;
    const { url } = authorization;
    return { kind: "sign_in", ...call, message, url, expires_at: authorization.expires_at };
  }
  if (elicitation) return { kind: "input", ...call, ...inputOf(elicitation), ...expires };
  if (asked.kind === "external_result") {
    const message = `The result of ${tool_call.name} is awaited.`;
    return { kind: "external_result", ...call, message, ...expires };
  }
  const message = question ?? `Run \`${tool_call.name}\`?`;
  const hash = asked.input_hash !== null && !omitted && { input_hash: asked.input_hash };
  return { kind: "confirmation", ...call, message, ...hash, ...expires };
}

/** One request is answered by itself, several by their keys. */
function inputOf({
  server,
  requests,
}: ShownElicitation): Pick<A2aQuestion, "message" | "schema" | "url"> {
  const all = Object.entries(requests);
  const words = all.map(([, { message }]) => message).join("\n");
  const message = words === "" ? `${server} asks for input.` : words;
  const [only] = all;
  if (all.length === 1 && only) {
    const [, request] = only;
    return request.mode === "form"
      ? { message, schema: request.requested_schema }
      : { message, url: request.url };
  }
  const properties = Object.fromEntries(
    all.map(([key, request]) => {
      const content = request.mode === "form" && { content: request.requested_schema };
      const action = { enum: ["accept", "decline", "cancel"] };
      return [key, { type: "object", properties: { action, ...content }, required: ["action"] }];
    }),
  );
  return { message, schema: { type: "object", properties, required: all.map(([key]) => key) } };
}

import { writeScript, type ModelScript } from "../model/model-script.ts";

/** The body of a request for a chat completion, for peers that pass it on. */
export function chatRequest(script: ModelScript): string {
  const messages = [{ role: "user", content: writeScript(script) }];
  return JSON.stringify({ model: "mock", stream: true, messages });
}

import { writeScript, type ModelScript } from "../model/model-script.ts";

/** A chat completions request body, for peers that pass it on. */
export function chatRequest(script: ModelScript): string {
  const messages = [{ role: "user", content: writeScript(script) }];
  return JSON.stringify({ model: "mock", stream: true, messages });
}

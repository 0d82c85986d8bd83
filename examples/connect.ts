// Connects the examples to a running platform: plain HTTP with the ids in `npm start`'s dev.json.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createSseDecoder, type SseFrame } from "../protocol/sse.ts";

export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly agentId: string;
}

/** An expected failure, printed without a stack. */
export class StoryFailure extends Error {
  override readonly name = "StoryFailure";
}

/** The environment variables BASE_URL, API_KEY and AGENT_ID, else dev.json in the state folder. */
export function connect(): Connection {
  const { BASE_URL, API_KEY, AGENT_ID } = process.env;
  if (BASE_URL && API_KEY && AGENT_ID) {
    return { baseUrl: BASE_URL, apiKey: API_KEY, agentId: AGENT_ID };
  }
  const path = join(process.env["REPRISE_STATE"] || ".reprise", "dev.json");
  let dev: { base_url: string; api_key: string; agent_id: string };
  try {
    dev = JSON.parse(readFileSync(path, "utf8")) as typeof dev;
  } catch {
    throw new StoryFailure(`There is no ${path}: run "npm start" first, in another terminal.`);
  }
  return {
    baseUrl: BASE_URL || dev.base_url,
    apiKey: API_KEY || dev.api_key,
    agentId: AGENT_ID || dev.agent_id,
  };
}

export interface Call {
  readonly method?: "GET" | "POST";
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** @throws {StoryFailure} without an answer, and for an error status. */
export async function call(
  connection: Connection,
  path: string,
  call: Call = {},
): Promise<Response> {
  const { method = "GET", body, headers, signal } = call;
  let response: Response;
  try {
    response = await fetch(`${connection.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${connection.apiKey}`,
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new StoryFailure(
      `Nothing answers at ${connection.baseUrl}: run "npm start" first, in another terminal.`,
    );
  }
  if (response.ok) return response;
  throw new StoryFailure(`${method} ${path} answered ${response.status}: ${await response.text()}`);
}

/** The frames of an SSE response, as they arrive. */
export async function* readFrames(response: Response): AsyncGenerator<SseFrame> {
  if (!response.body) return;
  const decoder = createSseDecoder();
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    yield* decoder.push(text);
  }
}
